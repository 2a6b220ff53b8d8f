import { createHash, createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Condition, DataFile, EvaluationContext, Segment } from '@svc/core'
import {
  bucket,
  bucketCount,
  compareVersions,
  compile,
  compileCondition,
  formatSignature,
  murmur3,
  murmur3Bytes,
  parseDataFile,
  signatureContent,
} from '@svc/core'
import { verifyWebhook, WebhookVerificationError } from '../packages/sdk/src/webhooks.ts'
import { statisticsMethods } from './statistics.ts'

/** Answers the input of a case. The answer can be a promise. */
export type Method = (input: Record<string, unknown>) => unknown

/** The methods that this build implements, by the `method` of a case. */
export const methods: Map<string, Method> = new Map([
  ['murmur3_x86_32', (input) => ({ hash: hash(input) })],
  ['bucket_10000', (input) => ({ bucket: 'salt' in input ? saltedBucket(input) : rawBucket(input) })],
  ['bucket_digest', bucketDigest],
  ['compare_versions', (input) => ({ order: compareVersions(text(input.left), text(input.right)) })],
  ['condition', (input) => ({ matches: matches(input) })],
  ['parse_data_file', (input) => ({ accepted: parseDataFile(input.document) !== undefined })],
  ['evaluate', evaluate],
  ['evaluate_all', evaluateAll],
  ['webhook_signature', (input) => ({ signature: signature(input) })],
  ['webhook_verify', verify],
  ...statisticsMethods,
])

function hash({ text: value, bytesHex, seed }: Record<string, unknown>): number {
  if (typeof seed !== 'number') throw new Error('input.seed must be a number')
  return bytesHex === undefined ? murmur3(text(value), seed) : murmur3Bytes(Buffer.from(text(bytesHex), 'hex'), seed)
}

function saltedBucket(input: Record<string, unknown>): number {
  return bucket(text(input.salt), text(input.unit))
}

// The published vectors of other products hash one text, without our dot between salt and unit.
function rawBucket(input: Record<string, unknown>): number {
  return Math.floor((hash(input) * bucketCount) / 2 ** 32)
}

function bucketDigest(input: Record<string, unknown>): unknown {
  const { salts, units, count } = input as { salts: string[]; units: string[]; count: number }
  const fill = (texts: string[], i: number) => text(texts[i % texts.length]).replaceAll('{i}', String(i))
  const buckets = Array.from({ length: count }, (_, i) => bucket(fill(salts, i), fill(units, i)))
  const sha256 = createHash('sha256')
    .update(buckets.map((drawn) => `${drawn}\n`).join(''))
    .digest('hex')
  return { first: buckets.slice(0, 20), sha256 }
}

function matches(input: Record<string, unknown>): boolean {
  const audiences = (input.audiences ?? {}) as Record<string, Condition>
  const segments = (input.segments ?? {}) as Record<string, Segment>
  const holds = compileCondition(input.condition as Condition, { audiences, segments })
  return holds(input.context, Number(input.now ?? 0))
}

function evaluate(input: Record<string, unknown>): unknown {
  const { evaluate } = compile(dataFile(input))
  return evaluate(text(input.flagKey), input.context as EvaluationContext, Number(input.now ?? 0))
}

/** Evaluates the flags one by one and all at once. Both must give the same answers. */
function evaluateAll(input: Record<string, unknown>): unknown {
  const file = dataFile(input)
  const [context, now] = [input.context as EvaluationContext, Number(input.now ?? 0)]
  const { evaluate } = compile(file)
  const one = Object.fromEntries(Object.keys(file.flags).map((key) => [key, evaluate(key, context, now)]))
  const all = Object.fromEntries(compile(file).evaluateAll(context, now))
  if (!isDeepStrictEqual(one, all)) throw new Error(`evaluateAll answers ${JSON.stringify(all)}`)
  return one
}

function dataFile(input: Record<string, unknown>): DataFile {
  const file = parseDataFile(input.dataFile)
  if (!file) throw new Error('input.dataFile must be a data file')
  return file
}

function signature({ deliveryId, timestamp, secret, ...input }: Record<string, unknown>): string {
  const content = signatureContent(text(deliveryId), text(timestamp), body(input))
  return formatSignature(createHmac('sha256', text(secret)).update(content).digest())
}

async function verify({ headers, secret, now, toleranceSeconds, ...input }: Record<string, unknown>): Promise<unknown> {
  const options = {
    now: () => new Date(Number(now ?? 0)),
    ...(toleranceSeconds !== undefined && { toleranceSeconds: Number(toleranceSeconds) }),
  }
  try {
    const delivery = await verifyWebhook(body(input), headers as Record<string, string>, secret as string, options)
    return { verified: true, id: delivery.id, event: delivery.event }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { verified: false, code: error.code }
    throw error
  }
}

const body = ({ body, bodyHex }: Record<string, unknown>): string | Uint8Array =>
  bodyHex === undefined ? text(body) : Buffer.from(text(bodyHex), 'hex')

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`the input must have a string where it has ${JSON.stringify(value)}`)
  return value
}
