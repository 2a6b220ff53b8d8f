/**
 * The catalogue of event names that this build produces. Every write leaves at least one, in its own transaction;
 * `packages/server/src/platform/outbox.ts` stores them.
 */
export const events = {
  'project.created': 'Project created, with its built-in environments',
  'project.updated': 'Project renamed',
  'environment.created': 'Environment created',
  'environment.updated': 'Name or color of an environment changed',
  'environment.deleted': 'Environment deleted',
  'flag.created': 'Flag created',
  'flag.updated': 'Flag, one of its rules, overrides or switches changed',
  'flag.archived': 'Flag archived',
  'flag.unarchived': 'Flag taken out of the archive',
  'flag.deleted': 'Flag deleted',
  'flag.published': 'Flag data file published to an environment',
  'flag.rule_activated': 'Flag rule started serving',
} as const satisfies Record<string, string>

export type EventName = keyof typeof events
