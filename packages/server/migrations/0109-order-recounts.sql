-- What a setting changes about orders that are there is done in portions: with a new rate orders become money, and with
-- another trust they begin to count or no longer do. One transaction for a million orders would be too long, and all of
-- their visitors in one batch could not be divided by a snapshot. A row is its own queue row, and gone when all is done.
create table order_recounts (
  id uuid primary key,
  project_id uuid not null references projects,
  -- RATE: orders in `currency` that have no rate get one. VISITORS: those of orders that no import knows count again.
  what text not null check (what in ('RATE', 'VISITORS')),
  currency text check ((what = 'RATE') = (currency is not null)),
  -- Of VISITORS: one environment alone, and the last order that was looked at, by time and id.
  env_id uuid,
  after_placed timestamptz,
  after_id uuid,
  due_at timestamptz not null,
  leased_until timestamptz,
  claims bigint not null default 0,
  failures integer not null default 0,
  created_at timestamptz not null
);
create index order_recounts_due on order_recounts (due_at);
create index order_recounts_project on order_recounts (project_id);
-- The next orders without a rate, in the order in which all writers lock them.
create index orders_unrated on orders (project_id, currency, env_id, order_id) where rate is null;
