-- Exposures and tracked events that SDKs send. They refer to nothing by foreign key: ingestion must not wait for an
-- edit, nor an edit for it. Rows of a deleted project are deleted with it.

-- The number of a batch. Batches commit in a different order, so a reader takes its position under a lock
-- (`EventStore.position`).
create sequence event_batches as bigint;

-- A day (UTC) of `received_at` is a partition, which ingestion creates when it needs it. Retention drops partitions.
create table exposures (
  batch bigint not null,
  id uuid not null,
  env_id uuid not null,
  rule_id uuid not null,
  variation_id uuid not null,
  unit text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  -- 0: counts; 1: the variation was set by an override; 2: a bot.
  kind smallint not null check (kind between 0 and 2),
  -- The client's clock was wrong: `at` is `received_at`.
  clamped boolean not null,
  dimensions jsonb
) partition by range (received_at);
create index exposures_rule on exposures (env_id, rule_id, batch);

create table tracked_events (
  batch bigint not null,
  id uuid not null,
  env_id uuid not null,
  event_key text not null,
  unit text not null,
  value double precision,
  at timestamptz not null,
  received_at timestamptz not null,
  -- 0: counts; 2: a bot.
  kind smallint not null check (kind in (0, 2)),
  clamped boolean not null,
  properties jsonb
) partition by range (received_at);
create index tracked_events_key on tracked_events (env_id, event_key, batch);

-- Ids of the events that were received last, for 7 to 14 days: after 7 days, the older table is emptied and becomes
-- the newer one. That takes a moment, however many there are.
create table event_ids (
  id uuid not null,
  env_id uuid not null,
  primary key (id, env_id)
);
create table earlier_event_ids (like event_ids including all);
create table event_id_turns (
  turned_at timestamptz not null
);
