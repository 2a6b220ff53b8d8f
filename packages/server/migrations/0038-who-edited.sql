-- Who edited or switched a flag last, for lists: the audit log has all changes, but not the last one of each flag at hand.
alter table flags add column updated_by text;
