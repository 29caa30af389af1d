import { Component, type ReactNode } from "react";

type Props = { readonly children: ReactNode };

/** Limits a fault to one part of the page, for example to a part that could not be loaded. The other parts stay. */
export class FaultBoundary extends Component<Props, { readonly message?: string }> {
  override state: { readonly message?: string } = {};

  static getDerivedStateFromError(error: unknown): { readonly message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <p role="alert" className="failure">
        This part cannot be shown: {message}{" "}
        <button type="button" onClick={() => this.setState({ message: undefined })}>
          Try again
        </button>
      </p>
    );
  }
}
