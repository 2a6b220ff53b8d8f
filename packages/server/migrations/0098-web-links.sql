-- Secret links to web experiments: previews, sessions of the visual editor, and the codes that open such a session.
create table web_links (
  id uuid primary key,
  kind text not null check (kind in ('PREVIEW', 'EDITOR', 'EDITOR_CODE')),
  experiment_id uuid not null references experiments on delete cascade,
  -- SHA-256 of the secret of a preview, the token of a session or a code. Null for a session that nothing has opened yet.
  secret_hash bytea unique,
  variation_key text,
  -- What a preview shows.
  version text check (version in ('DRAFT', 'LIVE')),
  page_key text,
  -- The address of a preview, the origin of the pages of a session.
  url text,
  -- The session of a code.
  editor_id uuid references web_links on delete cascade,
  -- Who edits, and the session in the dashboard with which the editor ends.
  user_id uuid references users on delete cascade,
  session_id uuid references sessions on delete cascade on update cascade,
  created_by text,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When a code was redeemed.
  used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check ((kind = 'PREVIEW') = (version is not null)),
  check ((kind = 'EDITOR') = (session_id is not null and user_id is not null)),
  check ((kind = 'EDITOR_CODE') = (editor_id is not null))
);
create index web_links_experiment on web_links (experiment_id, kind, id);
create index web_links_editor on web_links (editor_id) where editor_id is not null;
create index web_links_session on web_links (session_id) where session_id is not null;
create index web_links_user on web_links (user_id) where user_id is not null;
create index web_links_expiry on web_links (expires_at);
