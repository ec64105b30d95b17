// The one importer of pg's own module: after it, no connection of this process gives a password away, pg-boss's included.
import pg from "pg";

type Connection = { stream: { destroy(): void }; emit(event: "error", error: Error): void };

/**
 * What a client sends when the server asks for the password itself, or for an MD5 that stands for it. Whoever holds the
 * server's address could ask; with SCRAM they learn nothing they can use.
 */
function refuse(this: Connection): void {
  const error = new Error(
    "the server asks for the password in clear text or as MD5, so it was not sent. Rollcall supports SCRAM only: " +
      "SET password_encryption = 'scram-sha-256', ALTER ROLE … PASSWORD '…', and scram-sha-256 in pg_hba.conf",
  );
  this.emit("error", Object.assign(error, { code: "28P01" }));
  this.stream.destroy();
}

Object.assign((pg as unknown as { Connection: { prototype: object } }).Connection.prototype, {
  password: refuse,
});

export { pg };
