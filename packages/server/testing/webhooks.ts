import { createHmac } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { authors } from '../src/platform/outbox.ts'
import { sealWith } from '../src/platform/seal.ts'
import { deliveryWorker, fanOut } from '../src/wings/telling/deliveries/index.ts'
import { webhookKind } from '../src/wings/telling/webhooks/index.ts'
import { standingClock, type TestClock } from './clock.ts'
import { succeed } from './flags.ts'
import {
  createFlag,
  createProject,
  startTestService,
  type TestOptions,
  type TestProject,
  type TestService,
} from './service.ts'
import { held, type Received, type TestReceiver, testReceiver } from './vendors/receiver.ts'

export interface WebhookTest {
  service: TestService
  project: TestProject
  receiver: TestReceiver
  clock: TestClock
}

/**
 * A service whose deliveries stay in memory, with its own clock and a project. `admin`: the token of a different file.
 */
export async function startWebhookTest(options: TestOptions = {}, admin?: string): Promise<WebhookTest> {
  const receiver = testReceiver()
  const clock = standingClock()
  const started = await startTestService({ now: clock.now, outbound: receiver.outbound, ...options })
  const service = admin ? { ...started, people: { ...started.people, admin } } : started
  return { service, receiver, clock, project: await createProject(service) }
}

/** The same for all tests of a file. It starts before the first of them and ends after the last. */
export function webhookTest(options: TestOptions = {}): WebhookTest {
  const on = {} as WebhookTest
  beforeAll(async () => void Object.assign(on, await startWebhookTest(options)))
  afterAll(() => on.service.close())
  return on
}

export interface TestWebhook {
  id: string
  path: string
  url: string
  secret: string
}

let count = 0

export const webhookBody = (more: Record<string, unknown> = {}) => {
  count += 1
  return { name: `Hook ${count}`, url: `https://hook-${count}.example/in`, events: ['flag.created'], ...more }
}

/** Subscribes to `flag.created` by default, with its own address. */
export async function newWebhook(
  { service, project }: Pick<WebhookTest, 'service' | 'project'>,
  more: Record<string, unknown> = {},
): Promise<TestWebhook> {
  const { id, url, secret } = await succeed(service, 'POST', `${project.path}/webhooks`, webhookBody(more))
  return { id, url, secret, path: `${project.path}/webhooks/${id}` }
}

/** Lets the worker do everything that is due by the test's clock. */
export async function deliver({ service }: Pick<WebhookTest, 'service'>): Promise<void> {
  service.deliveries.wake()
  await service.deliveries.idle()
}

let flags = 0

/** Causes one event for each webhook that is subscribed to `flag.created`, and does not wait for its delivery. */
export async function fire({ service, project }: Pick<WebhookTest, 'service' | 'project'>): Promise<{ id: string }> {
  flags += 1
  return createFlag(service, project, `flag-${flags}`)
}

/** Newest first. */
export const recordsOf = ({ service }: Pick<WebhookTest, 'service'>, { path }: TestWebhook) =>
  succeed(service, 'GET', `${path}/deliveries?limit=100`)

export const webhookOf = ({ service }: Pick<WebhookTest, 'service'>, { path }: TestWebhook) =>
  succeed(service, 'GET', path)

/**
 * Checks the signature by the specification: HMAC-SHA256 over id, timestamp and raw body, keyed with the characters of
 * the secret.
 */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const content = `${headers['x-svc-delivery-id']}.${headers['x-svc-timestamp']}.${body}`
  const digest = createHmac('sha256', Buffer.from(secret, 'ascii')).update(content, 'utf8').digest('hex')
  return headers['x-svc-signature'] === `sha256=${digest}`
}

const timeoutMs = 10_000
const fail = (error: unknown) => {
  throw error
}

/** The worker of a second node on the same database. It looks for work only when the test asks. */
export function testWorker({ service, clock }: WebhookTest, receiver: TestReceiver) {
  const context = {
    database: service.database,
    post: receiver.outbound.post,
    seal: sealWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url')),
    authorOf: authors([fanOut], clock.now),
    settings: { ladderMs: [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000], timeoutMs },
    observe: { attempted: () => undefined, failed: fail },
    now: clock.now,
  }
  return deliveryWorker(context, webhookKind(context))
}

/** Sends an event, makes the change while the receiver at a URL is answering, then lets it answer. Others answer 204. */
export async function changeDuring(
  on: Pick<WebhookTest, 'service' | 'project' | 'receiver'>,
  { url, change, answer }: { url: string; change: () => Promise<unknown>; answer: number },
): Promise<void> {
  const [arrived, answered] = [held<void>(), held<number>()]
  on.receiver.answer((request) => {
    if (request.url !== url) return 204
    arrived.resolve()
    return answered.promise
  })
  await fire(on)
  on.service.deliveries.wake()
  await arrived.promise
  await change()
  answered.resolve(answer)
  await on.service.deliveries.idle()
  on.receiver.answer(() => 204)
}
