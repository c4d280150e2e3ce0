/** The result of `drizzle(…)` for PostgreSQL, MySQL, MariaDB or SQLite. */
export interface DrizzleDatabase {
  select(...args: never[]): unknown
  insert(...args: never[]): unknown
  update(...args: never[]): unknown
  delete(...args: never[]): unknown
  transaction(...args: never[]): unknown
}
