-- SDK keys are public, so anybody can send events with them. An environment can have up to two secret ingest keys, and
-- say which of its events count only with one of them.
create table ingest_keys (
  id uuid primary key,
  env_id uuid not null references environments on delete cascade,
  -- The SHA-256 of the key, which is stored nowhere else.
  secret_hash bytea not null unique,
  last_characters text not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  last_used_at timestamptz,
  last_used_ip text,
  last_used_user_agent text
);
create index ingest_keys_env on ingest_keys (env_id);

alter table environments add column ingest_key_required_for text not null default 'NONE'
  check (ingest_key_required_for in ('NONE', 'TRACKED_EVENTS', 'ALL'));
-- When an event was last rejected because it needed an ingest key and had none.
alter table environments add column ingest_key_missed_at timestamptz;
