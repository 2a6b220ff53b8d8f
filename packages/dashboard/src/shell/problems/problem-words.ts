import type { Data } from '@svc/client'
import { counted } from '../../ui/words/lists.ts'
import { withPercents } from '../../ui/words/percent.ts'

export type Problem = Data<'/api/dashboard/attention', 'get'>['problems'][number]

interface Words {
  /** What is wrong. */
  says: string
  /** Where it is. */
  place: string
}

/** A problem as people read it. */
export function problemWords({ kind, object, project, environment, flag, details }: Problem): Words {
  const place = [project?.name, environment?.name].filter(Boolean).join(' · ')
  const what = nameOf(object, flag)
  const act = details.action === 'PAUSE' ? 'pause' : 'run'
  switch (kind) {
    case 'WEBHOOK_DISABLED':
      return { says: `The webhook ${what} is disabled after failures.`, place }
    case 'WEBHOOK_FAILING':
      return { says: `The webhook ${what} fails${ladder(details)}.`, place }
    case 'DESTINATION_DISABLED':
      return { says: `The destination ${what} is disabled after failures.`, place }
    case 'DESTINATION_FAILING':
      return { says: `The destination ${what} fails${ladder(details)}.`, place }
    case 'SCHEDULE_FAILED':
      return { says: `The scheduled ${act} of ${what} failed.`, place }
    case 'SCHEDULE_SUSPENDED':
      return { says: `The scheduled ${act} of ${what} is suspended.`, place }
    case 'GUARDRAIL_BREACHED':
      return { says: `A guardrail of ${what} is breached: visitors are worse off.`, place }
    case 'TEST_UNHEALTHY':
      return { says: `A health check of ${what} failed. Do not use its results.`, place }
    case 'CLIENTS_BEHIND':
      return { says: `${clients(details)} in ${object.name} ${isOne(details) ? 'is' : 'are'} behind.`, place }
    case 'CLIENTS_SILENT':
      return { says: `${clients(details)} in ${object.name} ${isOne(details) ? 'sends' : 'send'} no heartbeat.`, place }
    case 'RESULTS_FAILING':
      return { says: `The results of ${what} are incomplete. ${details.reason ?? ''}`.trim(), place }
    case 'CODE_FAILING':
      return { says: `The code of the variation ${details.variation} of ${what} fails: ${details.reason}`, place }
    case 'EVENTS_STOPPED':
      return {
        says: `No events of ${object.name} are stored: ${stops[details.reason ?? ''] ?? 'a limit is reached'}.`,
        place,
      }
    case 'JOB_FAILED':
      return {
        says: `${object.kind === 'source' ? `The schedule of ${what} was missed.` : `A background job for ${what} failed.`} ${withPercents(details.reason ?? '')}`.trim(),
        place,
      }
    case 'TOKEN_EXPIRING':
      return { says: `The token ${what} expires soon.`, place }
    case 'INITIAL_TOKEN':
      return { says: `The token ${what} can do everything. Revoke it when you have others.`, place }
    case 'NO_SECOND_FACTOR':
      return { says: `${what} can manage the organization and has no second factor.`, place }
  }
}

/** Names of rules repeat from flag to flag, and those of experiments do not. */
function nameOf({ kind, name }: Problem['object'], flag: Problem['flag']): string {
  if (kind === 'experiment') return `the experiment ${name}`
  return flag && flag.name !== name ? `${name} of ${flag.name}` : name
}

const ladder = ({ failures, failuresUntilDisabled }: Problem['details']): string =>
  failures === undefined || failuresUntilDisabled === undefined
    ? ''
    : `, ${failures === 1 ? 'once' : `${failures} times in a row`} (disabled at ${failuresUntilDisabled})`

const stops: Record<string, string> = {
  events: 'the quota of events for today is used up',
  bytes: 'the quota of bytes for today is used up',
  disk: 'the disk of the service is full or almost full',
}

const isOne = ({ clients = 0 }: Problem['details']): boolean => clients === 1

const clients = ({ clients = 0, of }: Problem['details']): string =>
  of === undefined ? counted(clients, 'client') : `${clients.toLocaleString('en')} of ${counted(of, 'client')}`

/** The page on which the problem can be fixed. */
export function problemPage({ object, project, environment, flag }: Problem): { path: string; search: object } {
  const inProject = project ? `/$org/${project.shortId}` : '/$org'
  const search = environment ? { env: environment.key } : {}
  switch (object.kind) {
    case 'webhook':
      return { path: `${inProject}/integrations/webhooks/${object.id}`, search: {} }
    case 'destination':
      return { path: `${inProject}/integrations/destinations/${object.id}`, search: {} }
    case 'flag':
    case 'rule':
      return { path: `${inProject}/flags/${flag?.key ?? ''}`, search }
    case 'experiment':
      return { path: `${inProject}/experiments/${object.id}`, search: {} }
    case 'environment':
      return { path: `${inProject}/environments/${environment?.key ?? ''}`, search: {} }
    case 'job':
      return { path: `${inProject}/commerce/jobs/${object.id}`, search: {} }
    case 'source':
      return { path: `${inProject}/commerce/jobs`, search: {} }
    case 'service_token':
      return { path: '/$org/settings/tokens', search: {} }
    case 'personal_token':
      return { path: '/account/tokens', search: {} }
    case 'member':
      return { path: '/$org/settings/members', search: {} }
  }
}
