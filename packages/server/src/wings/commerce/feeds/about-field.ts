/** Sentences that say which field they are about. */
const naming = /^(?:An item needs|The price needs|A stock|Images without|An unknown availability)/

/** Sentences that lack their subject. */
const open = /^(?:Must|Has|Counts) /

/** What was done to a value. */
const done = /^(?:Cut|Rounded) /

/** What is told of the field of a row, as one sentence: `price must be a decimal text …`. */
export function aboutField({ field, message }: { field: string; message: string }): string {
  if (naming.test(message)) return message
  const begin = message.charAt(0).toLowerCase() + message.slice(1)
  if (open.test(message)) return `${field} ${begin}`
  return done.test(message) ? `${field} was ${begin}` : `${field}: ${message}`
}
