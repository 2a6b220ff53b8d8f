/** Values that are not shown as their lower-case name. */
const names: Record<string, string> = {
  AB_TEST: 'A/B test',
  BENJAMINI_HOCHBERG: 'Benjamini-Hochberg',
  HOLM: 'Holm',
  OPENID_CONNECT: 'OpenID Connect',
  SIGN_UP: 'sign-up',
  TARGETED_DELIVERY: 'rollout',
}

/** The fields with such values. In other fields, people chose the capitals. */
const fields = ['correction', 'direction', 'inProgressConversions', 'method', 'mode', 'on', 'status', 'test', 'type']

/** What people read for a value that the API defines: "fixed horizon" for FIXED_HORIZON. Undefined for any other value. */
export function constantWords(field: string, value: unknown): string | undefined {
  if (!fields.includes(field) || typeof value !== 'string' || !/^[A-Z]+(_[A-Z]+)*$/.test(value)) return undefined
  return names[value] ?? value.toLowerCase().replaceAll('_', ' ')
}
