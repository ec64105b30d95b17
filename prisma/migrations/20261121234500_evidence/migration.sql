-- What an activity came from: the mail whose link was pressed, the mail that was marked as spam, the bulk action or the suppression.
ALTER TABLE subscriber_events ADD COLUMN cause text, ADD COLUMN cause_id uuid,
  ADD CONSTRAINT subscriber_events_cause_check CHECK (
    (cause IS NULL) = (cause_id IS NULL) AND cause IN ('mail', 'complaint', 'bulk_action', 'suppression')
  );

-- Where an import was started from.
ALTER TABLE imports ADD COLUMN address text;
