-- The time zone of daily digests. Null: that of the quiet hours, or else UTC.
alter table organizations add column digest_timezone text;
