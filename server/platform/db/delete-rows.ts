import { type Db, Prisma } from "./client";

/** Deletes a limited number of rows that meet a condition. @returns how many */
export function deleteRows(table: string, condition: Prisma.Sql) {
  const name = Prisma.raw(table);
  return (db: Db, rows: number) => db.$executeRaw`
    DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${rows})`;
}
