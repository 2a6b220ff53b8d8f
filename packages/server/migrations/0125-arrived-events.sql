-- Tracked events that arrived in a day of UTC, by environment and key, each once. They say whether and when a metric gets
-- events. Figures of tests do not come from here.
create table arrived_events (
  env_id uuid not null,
  event_key text not null,
  day date not null,
  events bigint not null,
  -- Those with a value, and the sum of their values.
  valued bigint not null,
  value_sum double precision not null,
  last_at timestamptz not null,
  primary key (env_id, event_key, day)
);
create index arrived_events_day on arrived_events (day, env_id);
