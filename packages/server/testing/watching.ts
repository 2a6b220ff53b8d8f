import { newId } from '../src/platform/ids.ts'
import type { NewEvent } from '../src/wings/measuring/events/index.ts'
import { dayMs, hourMs } from './clock.ts'
import { eventStoreOn } from './databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from './flags.ts'
import { proportion } from './metrics.ts'
import type { TestService } from './service.ts'
import type { WebhookTest } from './webhooks.ts'

type On = Pick<WebhookTest, 'service' | 'project'>

/** A running rule whose snapshots are watched. */
export interface WatchedRule {
  id: string
  flag: TestFlag
  path: string
}

/** A test of `on` against `off`, with equal weights, in a new flag that runs in production. */
export async function watchedRule(
  on: On,
  key: string,
  rule: Record<string, unknown> = abTest('Copy'),
): Promise<WatchedRule> {
  const { service, project } = on
  const flag = await newFlag(service, project, { key })
  const { id } = await addRule(service, flag.production, rule)
  await succeed(service, 'POST', `${flag.production}/run`)
  return { id, flag, path: `${flag.production}/rules/${id}` }
}

let units = 0

/** New visitors of a rule, exposed now. Those in `paid` convert at once. */
export async function visit(
  { service, project, clock }: On & { clock: Pick<WebhookTest['clock'], 'now'> },
  { id: ruleId, flag }: WatchedRule,
  counts: { on: number; off: number },
  { context, paid }: { context?: Record<string, string>; paid?: 'on' | 'off' } = {},
): Promise<void> {
  const at = clock.now().getTime()
  const dimensions = context ? JSON.stringify(context) : null
  const common = { envId: project.production.id, at, clamped: false, kind: 0 } as const
  const events = (['on', 'off'] as const).flatMap((variation) =>
    Array.from({ length: counts[variation] }, () => `visitor-${++units}`).flatMap((unit): NewEvent[] => [
      {
        ...{ type: 'exposure', ...common, id: newId(), unit, ruleId, dimensions },
        variationId: flag.ids[variation]!,
      },
      ...(paid === variation
        ? [{ type: 'track', ...common, id: newId(), unit, eventKey: 'paid', value: null } as const]
        : []),
    ]),
  )
  const store = eventStoreOn(service.database, service.settings.SVC_CLICKHOUSE_URL)
  for (let from = 0; from < events.length; from += 500) await store.append(events.slice(from, from + 500), clock.now())
}

/** Takes a snapshot of the rule now. */
export const refresh = ({ service }: On, { id, flag }: WatchedRule) =>
  refreshed(service, `${flag.path}/rules/${id}/results`)

/**
 * Takes a snapshot of the results at this path. On a busy machine, it can take longer than an answer waits: asking again
 * joins it.
 */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
export async function refreshed(service: TestService, path: string): Promise<any> {
  for (;;) {
    const results = await succeed(service, 'POST', `${path}/refresh`)
    if (!results.refreshing) return results
  }
}

/**
 * Makes a rule fail in all ways that are reported: a wrong split from the start, a drop of traffic a week after its
 * first complete day, and a guardrail metric that is worse. Takes the snapshot of the day after.
 */
export async function failInEveryWay(on: WebhookTest, rule: WatchedRule): Promise<void> {
  for (const [on_, off] of [...Array.from({ length: 8 }, () => [40, 20] as const), [2, 1] as const]) {
    await visit(on, rule, { on: on_, off }, { paid: 'off', context: { os: 'iOS' } })
    on.clock.move(dayMs)
  }
  on.clock.move(hourMs)
  await refresh(on, rule)
}

/** A test with a guardrail metric, as {@link failInEveryWay} needs it. Creates the metric. */
export async function guardedTest({ service, project }: WebhookTest, more: Record<string, unknown> = {}) {
  const metric = proportion('paid', { conversionWindowHours: 1, direction: 'INCREASE' })
  await succeed(service, 'POST', `${project.path}/metrics`, metric)
  return abTest('Copy', { metrics: { guardrails: ['paid'] }, ...more })
}

/** An experiment that adopts the rule. */
export const ownedByExperiment = (
  { service, project }: WebhookTest,
  { id: ruleId, flag }: WatchedRule,
  autoPause = { srm: false, traffic: false, guardrailMetric: false },
): Promise<{ id: string }> =>
  succeed(service, 'POST', `${project.path}/experiments`, {
    ...{ flagId: flag.id, ruleId, name: 'Checkout copy', autoPause },
  })
