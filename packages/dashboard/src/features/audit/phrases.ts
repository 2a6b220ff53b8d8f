/** What each action of the log says between who did it and what it was done to. Actions that miss here say their name. */
const phrases: Record<string, string> = {
  'organization.create': 'created the organization',
  'organization.update': 'changed the organization',
  'member.invite': 'invited',
  'member.join': 'joined as',
  'member.update': 'changed the role or the projects of',
  'member.remove': 'removed the member',
  'member.leave': 'left the organization, as',
  'member.password_reset_link': 'made a link for a new password of',
  'invitation.resend': 'renewed the invitation of',
  'invitation.revoke': 'revoked the invitation of',
  'role.create': 'created the role',
  'role.update': 'changed the role',
  'role.delete': 'deleted the role',
  'service_token.create': 'created the service token',
  'service_token.rotate': 'rotated the service token',
  'service_token.revoke': 'revoked the service token',
  'service_token.warn': 'warned of the expiry of the service token',
  'personal_token.create': 'created the personal token',
  'personal_token.revoke': 'revoked the personal token',
  'session.start': 'signed in as',
  'session.end': 'ended a session of',
  'user.update': 'changed the account of',
  'user.password_change': 'changed the password of',
  'user.password_reset_request': 'asked for a new password of',
  'user.password_reset': 'set a new password by a link, of',
  'user.second_factor_enable': 'switched the second factor on for',
  'user.second_factor_disable': 'switched the second factor off for',
  'user.recovery_codes_renew': 'made new recovery codes of',
  'user.identity_link': 'linked another sign-in to',
  'user.identity_unlink': 'took a linked sign-in from',
  'project.create': 'created the project',
  'project.update': 'changed the project',
  'environment.create': 'created the environment',
  'environment.update': 'changed the environment',
  'environment.delete': 'deleted the environment',
  'environment.publish': 'published the environment',
  'flag.create': 'created the flag',
  'flag.update': 'changed the flag',
  'flag.archive': 'archived the flag',
  'flag.unarchive': 'took from the archive the flag',
  'flag.delete': 'deleted the flag',
  'flag.run': 'switched on the flag',
  'flag.pause': 'switched off the flag',
  'flag.stage_default': 'staged another default of the flag',
  'flag.replace_variations': 'changed the variations of the flag',
  'flag.replace_overrides': 'changed the overrides of the flag',
  'rule.create': 'created the rule',
  'rule.update': 'changed the rule',
  'rule.delete': 'deleted the rule',
  'rule.duplicate': 'duplicated the rule',
  'rule.copy': 'copied the rule',
  'rule.reorder': 'put the rules in another order, of',
  'rule.run': 'started the rule',
  'rule.pause': 'paused the rule',
  'webhook.create': 'created the webhook',
  'webhook.update': 'changed the webhook',
  'webhook.delete': 'deleted the webhook',
  'webhook.disable': 'disabled the webhook',
  'webhook.rotate_secret': 'rotated the secret of the webhook',
  'webhook.retry_delivery': 'sent a delivery again, of the webhook',
  'webhook.replay': 'sent deliveries again, of the webhook',
  'webhook.test': 'sent a test to the webhook',
}

export const phraseOf = (action: string): string => phrases[action] ?? `(${action})`

const kinds: Record<string, string> = {
  organization: 'Organization',
  member: 'Members',
  invitation: 'Invitations',
  role: 'Roles',
  service_token: 'Service tokens',
  personal_token: 'Personal tokens',
  session: 'Sessions',
  user: 'Accounts',
  project: 'Projects',
  environment: 'Environments',
  flag: 'Flags',
  rule: 'Rules',
  webhook: 'Webhooks',
}

/** To choose from: all of a kind, then each action of that kind. */
export const actionChoices = Object.entries(kinds).map(([kind, title]) => ({
  group: title,
  items: [
    { value: `${kind}.`, label: `${title}: everything` },
    ...Object.keys(phrases)
      .filter((action) => action.startsWith(`${kind}.`))
      .map((action) => ({ value: action, label: labelOf(action) })),
  ],
}))

/** `service_token.rotate` → "Service token: rotate". */
function labelOf(action: string): string {
  const words = action.replace('.', ': ').replaceAll('_', ' ')
  return `${words[0]!.toUpperCase()}${words.slice(1)}`
}

export const objectChoices = Object.keys(kinds).map((kind) => ({ value: kind, label: objectLabel(kind) }))

export function objectLabel(type: string): string {
  const words = type.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const actors: Record<string, string> = {
  user: 'in the dashboard',
  service_token: 'a service token',
  personal_token: 'with a personal token',
  system: 'the service itself',
}

/** As what somebody acted. */
export const actorInWords = (type: string): string => actors[type] ?? type

/** Who acted; parts of the service that act by themselves are called by what they do. */
export const actorName = ({ type, name }: { type: string; name: string }): string =>
  type === 'system' ? `The service (${name})` : name
