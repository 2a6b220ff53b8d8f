-- Batches of events that are being written to ClickHouse. A reader does not go beyond them. A node that crashes leaves
-- its batch behind: it ends by itself.
create table open_batches (
  batch bigint primary key,
  ends_at timestamptz not null
);
