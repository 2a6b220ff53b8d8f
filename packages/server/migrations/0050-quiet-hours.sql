-- When destinations of an organization are not to be disturbed, and when daily digests go out.
alter table organizations
  add column quiet_hours jsonb,
  add column digest_at text not null default '09:00';
