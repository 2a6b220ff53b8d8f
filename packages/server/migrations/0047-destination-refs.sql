-- What a destination remembers about the tickets and alarms that it made, by what they are about. MAKING is written before
-- the request that makes a ticket leaves: after a crash, it is all that tells that the ticket may exist.
create table destination_refs (
  destination_id uuid not null references destinations on delete cascade,
  key text not null,
  state text not null check (state in ('MAKING', 'OPEN', 'RESOLVED')),
  -- The delivery that may have made the ticket, or told it last.
  told_by uuid,
  external_id text,
  url text,
  -- When it was begun, told last or resolved.
  at timestamptz not null,
  primary key (destination_id, key),
  check ((state = 'RESOLVED') = (told_by is null)),
  check (state <> 'OPEN' or external_id is not null)
);
create index destination_refs_resolved on destination_refs (at) where state = 'RESOLVED';
