import { expect, it } from 'vitest'
import { type Problem, problemPage, problemWords } from './problem-words.ts'

const project = { id: 'p', shortId: 3, key: 'web-shop', name: 'Web shop' }
const environment = { id: 'e', key: 'production', name: 'Production' }
const flag = { id: 'f', shortId: 1, key: 'checkout', name: 'Checkout' }

const problem = (kind: Problem['kind'], object: Problem['object'], more: Partial<Problem> = {}): Problem => ({
  kind,
  since: '2026-11-23T10:00:00.000Z',
  object,
  project: null,
  environment: null,
  flag: null,
  details: {},
  ...more,
})
const webhook = { kind: 'webhook', id: 'w', name: 'Deploy log' } as const
const clients = { kind: 'environment', id: 'e', name: 'Production' } as const

it.each([
  [
    problem('GUARDRAIL_BREACHED', { kind: 'experiment', id: 'x', name: 'Short form' }, { project, environment, flag }),
    'A guardrail of the experiment Short form is breached: visitors are worse off.',
    '/$org/3/experiments/x',
  ],
  [
    problem('TEST_UNHEALTHY', { kind: 'rule', id: 'r', name: 'Copy' }, { project, environment, flag }),
    'A health check of Copy of Checkout failed. Do not use its results.',
    '/$org/3/flags/checkout',
  ],
  [
    problem('WEBHOOK_FAILING', webhook, { project, details: { failures: 3, failuresUntilDisabled: 5 } }),
    'The webhook Deploy log fails, 3 times in a row (disabled at 5).',
    '/$org/3/integrations/webhooks/w',
  ],
  [
    problem('WEBHOOK_FAILING', webhook, { project, details: { failures: 1, failuresUntilDisabled: 5 } }),
    'The webhook Deploy log fails, once (disabled at 5).',
    '/$org/3/integrations/webhooks/w',
  ],
  [
    problem('WEBHOOK_DISABLED', webhook, { project }),
    'The webhook Deploy log is disabled after failures.',
    '/$org/3/integrations/webhooks/w',
  ],
  [
    problem('DESTINATION_DISABLED', { kind: 'destination', id: 'd', name: '#releases' }, { project }),
    'The destination #releases is disabled after failures.',
    '/$org/3/integrations/destinations/d',
  ],
  [
    problem('SCHEDULE_FAILED', { kind: 'flag', id: 'f', name: 'Checkout' }, { project, environment, flag }),
    'The scheduled run of Checkout failed.',
    '/$org/3/flags/checkout',
  ],
  [
    problem(
      'SCHEDULE_SUSPENDED',
      { kind: 'rule', id: 'r', name: 'Benelux' },
      { project, environment, flag, details: { action: 'PAUSE' } },
    ),
    'The scheduled pause of Benelux of Checkout is suspended.',
    '/$org/3/flags/checkout',
  ],
  [
    problem('SCHEDULE_FAILED', { kind: 'experiment', id: 'x', name: 'Shorter form' }, { project, environment, flag }),
    'The scheduled run of the experiment Shorter form failed.',
    '/$org/3/experiments/x',
  ],
  [
    problem(
      'JOB_FAILED',
      { kind: 'job', id: 'j', name: 'Web shop' },
      { project, details: { reason: 'It took too long.' } },
    ),
    'A background job for Web shop failed. It took too long.',
    '/$org/3/commerce/jobs/j',
  ],
  [
    problem(
      'JOB_FAILED',
      { kind: 'source', id: 's', name: 'Main feed' },
      { project, details: { reason: 'The run due at 2026-11-20T08:15:00Z did not start.' } },
    ),
    'The schedule of Main feed was missed. The run due at 2026-11-20T08:15:00Z did not start.',
    '/$org/3/commerce/jobs',
  ],
  [
    problem('CLIENTS_BEHIND', clients, { project, environment, details: { clients: 1, of: 12 } }),
    '1 of 12 clients in Production is behind.',
    '/$org/3/environments/production',
  ],
  [
    problem('CLIENTS_SILENT', clients, { project, environment, details: { clients: 2 } }),
    '2 clients in Production send no heartbeat.',
    '/$org/3/environments/production',
  ],
  [
    problem(
      'RESULTS_FAILING',
      { kind: 'rule', id: 'r', name: 'Copy' },
      { project, environment, flag, details: { reason: 'The metric revenue cannot be computed.' } },
    ),
    'The results of Copy of Checkout are incomplete. The metric revenue cannot be computed.',
    '/$org/3/flags/checkout',
  ],
  [
    problem(
      'CODE_FAILING',
      { kind: 'experiment', id: 'x', name: 'Headline' },
      { project, environment, details: { variation: 'b', reason: 'TypeError: null has no price' } },
    ),
    'The code of the variation b of the experiment Headline fails: TypeError: null has no price',
    '/$org/3/experiments/x',
  ],
  [
    problem('EVENTS_STOPPED', clients, { project, environment, details: { reason: 'disk' } }),
    'No events of Production are stored: the disk of the service is full or almost full.',
    '/$org/3/environments/production',
  ],
  [
    problem('TOKEN_EXPIRING', { kind: 'personal_token', id: 't', name: 'laptop' }),
    'The token laptop expires soon.',
    '/account/tokens',
  ],
  [
    problem('INITIAL_TOKEN', { kind: 'service_token', id: 't', name: 'initial' }),
    'The token initial can do everything. Revoke it when you have others.',
    '/$org/settings/tokens',
  ],
  [
    problem('NO_SECOND_FACTOR', { kind: 'member', id: 'm', name: 'Olive' }),
    'Olive can manage the organization and has no second factor.',
    '/$org/settings/members',
  ],
])('%j: %s', (given, says, path) => {
  expect([problemWords(given).says, problemPage(given).path]).toEqual([says, path])
})

it('a problem names project and environment', () => {
  expect(problemWords(problem('CLIENTS_BEHIND', clients, { project, environment })).place).toBe('Web shop · Production')
})
