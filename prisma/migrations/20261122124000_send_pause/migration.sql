-- While this is set no process hands mails to Resend.
ALTER TABLE send_pace
  ADD COLUMN paused_at timestamptz(3),
  ADD COLUMN paused_by text CHECK (paused_by IN ('operator', 'restore')),
  ADD CONSTRAINT send_pace_paused_check CHECK ((paused_at IS NULL) = (paused_by IS NULL));
