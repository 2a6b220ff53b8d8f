-- A link that confirms a person's new address.
alter table links drop constraint links_kind_check, drop constraint links_check1;
alter table links
  add constraint links_kind_check check (kind in ('OWNER', 'INVITATION', 'PASSWORD_RESET', 'EMAIL_CHANGE')),
  add constraint links_user_check check ((kind in ('PASSWORD_RESET', 'EMAIL_CHANGE')) = (user_id is not null)),
  add constraint links_email_check1 check (kind <> 'EMAIL_CHANGE' or email is not null);
