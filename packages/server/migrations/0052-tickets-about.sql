-- The flag, experiment or source that a ticket is about, so that its page can show the ticket.
alter table destination_refs add column about uuid[] not null default '{}';
create index destination_refs_about on destination_refs using gin (about) where state = 'OPEN';
