-- Nothing reads the properties of tracked events, so they are not stored any more.
alter table tracked_events drop column properties;
