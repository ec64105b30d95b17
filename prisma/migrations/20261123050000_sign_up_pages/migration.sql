-- What people agreed to on a newsletter's sign-up page: each wording that it has had, kept.
CREATE TABLE sign_up_wordings (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  version integer NOT NULL CHECK (version > 0),
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 1000),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (newsletter_id, version)
);

-- The page /s/{newsletter}, as staff have set it up; without a row it is off.
CREATE TABLE sign_up_pages (
  newsletter_id uuid NOT NULL PRIMARY KEY REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  is_on boolean NOT NULL,
  title text NOT NULL, -- empty: the newsletter's name alone
  introduction text NOT NULL,
  wording_version integer NOT NULL,
  asks_name boolean NOT NULL,
  fields integer[] NOT NULL, -- numbers of those that are shown without being required
  version integer NOT NULL DEFAULT 1,
  FOREIGN KEY (newsletter_id, wording_version) REFERENCES sign_up_wordings (newsletter_id, version)
);
