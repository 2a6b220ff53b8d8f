-- The span of the change behind an event, as the header traceparent writes it. Null: the change was not traced. Deliveries
-- that are made later, and by other nodes, are linked to it.
alter table events add column trace_parent text;
