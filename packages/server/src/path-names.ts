/** The parameters of addresses that accept a key or a short id as well as an id. A rule is one of the flag in the environment. */
export const pathNames = [
  'projectId',
  'envId',
  'flagId',
  'ruleId',
  'audienceId',
  'segmentId',
  'metricId',
  'groupId',
  'holdoutId',
  'experimentId',
  'webhookId',
  'destinationId',
] as const

/** Names that an address gives, by parameter. Everything else in it belongs to the project. */
export type PathNames = { projectId: string } & { [Name in (typeof pathNames)[number]]?: string | undefined }
