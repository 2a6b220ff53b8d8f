-- Entries are read by their number, which is the order of their commits, and by what they are about.
drop index audit_entries_org;
create index audit_entries_object on audit_entries (org_id, object_id, seq);
