import { useRef } from "react";

/** Button that opens the pictures of the device, or its camera: a phone has no clipboard with files. */
export function PictureButton({ add }: { readonly add: (pictures: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label="Pictures"
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // The same picture can be chosen again.
          target.value = "";
        }}
      />
      <button type="button" title="Add pictures" onClick={() => field.current?.click()}>
        <span aria-hidden="true">+</span>
        <span className="unseen">Add pictures</span>
      </button>
    </>
  );
}
