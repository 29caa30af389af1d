import type { Pool } from "pg";

export type Order = { readonly id: number; readonly customer: string; readonly total: number };

const COLUMNS = "id, customer, total";
const PAGE = 50;

export class OrderStore {
  constructor(private readonly pool: Pool) {}

  async byId(id: number): Promise<Order | undefined> {
    const { rows } = await this.pool.query<Order>(`SELECT ${COLUMNS} FROM orders WHERE id = $1`, [id]);
    return rows[0];
  }

  async search(customer: string, page: number): Promise<readonly Order[]> {
    let sql = `SELECT ${COLUMNS} FROM orders`;
    if (customer !== "") sql += " WHERE customer ILIKE '%" + customer + "%'";
    sql += ` ORDER BY id LIMIT ${PAGE} OFFSET ${Number(page) * PAGE}`;
    const { rows } = await this.pool.query<Order>(sql);
    return rows;
  }
}
