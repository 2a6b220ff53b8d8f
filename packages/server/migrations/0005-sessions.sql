-- The owner's link has no expiry: it ends when it is used, or when the next start prints another one.
alter table links alter column expires_at drop not null,
  add check (expires_at is not null or kind = 'OWNER');
