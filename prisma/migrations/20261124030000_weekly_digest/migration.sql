-- Since when a staff member's weekly digest is due: when the last was written, or when they asked for it; null where they did not.
ALTER TABLE staff_members ADD COLUMN digest_since timestamptz(3);
