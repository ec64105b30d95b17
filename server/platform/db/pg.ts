// The only import of pg. It patches pg, so that no connection of this process reveals a password, including pg-boss's.
import pg from "pg";

type Connection = { stream: { destroy(): void }; emit(event: "error", error: Error): void };

/**
 * Replaces pg's answers to a request for the clear-text password or its MD5. A server that took over the address could
 * ask for either. SCRAM reveals nothing useful.
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
