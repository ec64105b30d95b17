import { type Db, Prisma } from "./client";

/** Deletes rows of a table that meet a condition, so many at a time. @returns how many */
export function deleteRows(table: string, condition: Prisma.Sql) {
  const name = Prisma.raw(table);
  return (db: Db, rows: number) => db.$executeRaw`
    DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${rows})`;
}
