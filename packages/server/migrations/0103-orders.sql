-- Orders of shops. SDKs send them, and imports bring them: both meet in one row by environment and `order_id`. They are
-- a second source of events, next to tracked events. Amounts are in the currency of the order unless said otherwise.
create table orders (
  id uuid primary key,
  project_id uuid not null references projects,
  env_id uuid not null,
  -- The id that the shop has given it.
  order_id text not null,
  -- Of `event_batches`: the batch in which it arrived.
  batch bigint not null,
  -- The visitor. Null until an SDK or an import names one.
  unit text,
  placed_at timestamptz not null,
  received_at timestamptz not null,
  status text not null check (status in ('PLACED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED')),
  -- Whether SDKs have sent it, and whether an import knows it.
  by_sdk boolean not null,
  by_import boolean not null,
  currency text not null,
  total numeric(16, 4) not null,
  tax numeric(16, 4) not null,
  shipping numeric(16, 4) not null,
  discount numeric(16, 4) not null,
  refunded numeric(16, 4) not null default 0,
  -- Pieces of all items, and what they cost, without those that were refunded. The cost is null if that of one is unknown.
  pieces bigint not null,
  costs numeric,
  -- What one unit of `currency` was worth in the reporting currency when the order arrived, and the decimals that payments
  -- in that have. Null without a rate.
  reporting_currency text,
  reporting_digits smallint,
  rate numeric(20, 10),
  -- In the reporting currency, without taxes, shipping and what was refunded.
  revenue numeric generated always as (
    case when total = 0 then 0 * rate
      else round(greatest(total - shipping - refunded, 0) * (total - tax) * rate / total, reporting_digits) end) stored,
  margin numeric generated always as (
    round(case when total = 0 then 0 * rate
      else round(greatest(total - shipping - refunded, 0) * (total - tax) * rate / total, reporting_digits) end
      - costs * rate, reporting_digits)) stored,
  updated_at timestamptz not null,
  check (by_sdk or by_import),
  unique (env_id, order_id)
);
create index orders_batch on orders (env_id, batch);
create index orders_unit on orders (env_id, unit) where unit is not null;
create index orders_placed on orders (project_id, placed_at, id);

create table order_items (
  order_id uuid not null references orders on delete cascade,
  -- In the order, from 0.
  place integer not null,
  item_id text not null,
  -- As the catalog said it when the order arrived; null if it did not know the item.
  product_id text,
  quantity integer not null,
  refunded_quantity integer not null default 0,
  price numeric(16, 4) not null,
  cost numeric(16, 4),
  primary key (order_id, place)
);

-- Visitors whose orders have changed after they arrived. Snapshots count these visitors again.
create table order_changes (
  env_id uuid not null,
  -- Of `event_batches`, as if it were an event.
  batch bigint not null,
  unit text not null,
  changed_at timestamptz not null,
  primary key (env_id, batch, unit)
);
create index order_changes_age on order_changes (changed_at);

-- The last change of orders whose visitors were counted again.
alter table measured_rules add column changes_batch bigint not null default 0;
