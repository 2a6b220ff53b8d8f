-- Include or exclude events by keywords; safety events pass all the same. Null: everything passes.
alter table organizations add column notification_filter jsonb;

create table webhooks (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disable_reason text,
  consecutive_failures integer not null default 0,
  -- Counts edits of the content alone: deliveries that fail do not disturb somebody who is editing.
  version integer not null default 1,
  secret_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhooks_project on webhooks (project_id, id);
create index webhooks_org on webhooks (org_id);

-- A delivery keeps the secret that it was created under, so a rotation leaves the old one behind.
create table webhook_secrets (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null
);
create index webhook_secrets_webhook on webhook_secrets (webhook_id);

-- A delivery is its own queue row. `due_at` is when a worker may take it: while one has it, the end of its lease.
create table deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  delivery_id uuid not null,
  event_id uuid,
  event_type text not null,
  source_entity_id uuid,
  is_test boolean not null default false,
  secret_id uuid not null,
  -- The body's bytes, the same at every attempt.
  body text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED', 'PERMANENTLY_FAILED')),
  attempts integer not null default 0,
  -- Counts the claims over all cycles of attempts, so that no settlement fits a claim but its own: `attempts` starts over
  -- with a retry, and an attempt that is not charged gives its number back.
  claims integer not null default 0,
  due_at timestamptz,
  next_retry_at timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  response_body text,
  error_message text,
  created_at timestamptz not null,
  unique (webhook_id, event_id)
);
create index deliveries_due on deliveries (webhook_id, due_at) where status = 'PENDING';
create index deliveries_list on deliveries (webhook_id, id);
create index deliveries_age on deliveries (created_at);

-- Answers of writes that carried an Idempotency-Key, written in the effect's own transaction. No secret is in them.
create table idempotency_keys (
  org_id uuid not null references organizations on delete cascade,
  credential_id uuid not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  -- Null while the effect is under way outside of a transaction.
  status integer,
  body text,
  etag text,
  created_at timestamptz not null,
  primary key (org_id, credential_id, method, path, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
