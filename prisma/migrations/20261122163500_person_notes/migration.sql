-- What staff write about a person for each other; apart, so that the list's rows stay small.
CREATE TABLE person_notes (
  newsletter_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  text text NOT NULL CHECK (char_length(text) <= 10000),
  version integer NOT NULL DEFAULT 1,
  changed_by uuid, -- the staff member; no foreign key, as in subscribers.source_id
  changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (newsletter_id, subscriber_id),
  FOREIGN KEY (newsletter_id, subscriber_id) REFERENCES subscribers (newsletter_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
