-- A plan that a key makes over MCP waits for staff: no key can commit it.
ALTER TABLE imports ADD COLUMN needs_staff boolean NOT NULL DEFAULT false;
