-- Whether the secret is the one that the service wrote to a file at its first start. A rotation gives the token another.
alter table tokens add column initial boolean not null default false;
update tokens set initial = true
where created_by = 'the service at its first start'
  and not exists (select from tokens previous where previous.replaced_by = tokens.id);
