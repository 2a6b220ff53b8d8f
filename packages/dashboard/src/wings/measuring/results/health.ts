import type { Tone } from '../../../ui/status/status-words.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { type Check, checkNames } from './check-names.ts'
import { dayOf, onceIn, type Results, share } from './figures.ts'

type NameOf = (variationId: string) => string

export interface HealthLine {
  check: string
  tone: Tone
  words: string
  /** What to do about it. Only if it is not fine. */
  advice?: string
}

export interface Health {
  /** "4 checks fine", "1 check failed". */
  summary: string
  tone: Tone
  /** The checks that are not fine, the worst first. */
  problems: HealthLine[]
  /** The others. */
  others: HealthLine[]
}

const tones: Record<Check['status'], Tone> = { FAILED: 'bad', WARNING: 'warning', OK: 'good', NOT_ENOUGH_DATA: 'note' }

const advice: Record<Check['check'], string> = {
  SRM: 'Look for what loses visitors of one variation before they are counted: a redirect, a crash, a slow page, a bot filter. Fix it, then start a new test: the results of these visitors stay wrong.',
  CROSSOVER: 'Give every page, server and device the same visitor id, before and after sign-in.',
  TRAFFIC_DROP:
    'Look for what changed on that day: a deploy, a campaign that ended, consent, the audience of the test.',
  NO_EXPOSURES:
    'Check that your program still evaluates the flag, or that your pages still have the script, and that events reach the service.',
  TRAFFIC_CAP: 'Decide with these figures, or raise the cap.',
  VARIATION_STARVED: 'Check that your code knows this variation, and that no other rule takes its visitors first.',
  BALANCE: 'Read the figures with care: part of a difference can be from before the test.',
  COMPUTATION: 'Tell the people who run the service: its log says what failed. It tries again every hour.',
  ADDRESS_SHARE:
    'Find out who they are, and compare with the visits that your own systems know: anyone can send events. A company, a school, a carrier or a proxy of yours can be the reason too.',
}

/** The state of the checks in words: what is wrong first, with what to do. */
export function healthOf(
  results: Pick<Results, 'health' | 'units' | 'setAside'>,
  nameOf: NameOf,
  /** A guardrail metric is proven to be worse: then nothing looks fine. */
  isBreached = false,
): Health {
  const { checks, status } = results.health
  const lines = checks.map((check): HealthLine & { status: Check['status'] } => ({
    check: checkNames[check.check],
    tone: tones[check.status],
    status: check.status,
    words: `${wordsOf(check, results, nameOf)}${sinceWords(check)}`,
    ...((check.status === 'FAILED' || check.status === 'WARNING') && { advice: advice[check.check] }),
  }))
  const withStatus = (wanted: Check['status']) => lines.filter(({ status }) => status === wanted)
  const [failed, warned, fine] = [withStatus('FAILED'), withStatus('WARNING'), withStatus('OK')]
  const problems = [...failed, ...warned]
  const summary = summaryOf(status, failed.length, warned.length, fine.length)
  return {
    summary:
      isBreached && problems.length === 0 ? `A guardrail is breached. The data itself: ${lower(summary)}` : summary,
    tone: isBreached ? 'bad' : (problems[0]?.tone ?? (fine.length > 0 ? 'good' : 'note')),
    problems,
    others: lines.filter((line) => !problems.includes(line)),
  }
}

const lower = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

const sinceWords = ({ status, since }: Check): string =>
  status === 'FAILED' && since ? ` It began with revision ${since.revision.toLocaleString('en')}.` : ''

function summaryOf(status: Results['health']['status'], failed: number, warned: number, fine: number): string {
  if (status === 'NOT_MEASURED') return 'Nothing is checked, because this rule sends no exposures'
  const parts = [
    ...(failed > 0 ? [`${counted(failed, 'check')} failed`] : []),
    ...(warned > 0 ? [`${counted(warned, 'warning')}`] : []),
    ...(fine > 0 ? [`${counted(fine, 'check')} fine`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'Not enough visitors to check'
}

/** What a check found. */
export function wordsOf(
  check: Check,
  { units, setAside }: Pick<Results, 'units' | 'setAside'>,
  nameOf: NameOf,
): string {
  if (check.status === 'NOT_ENOUGH_DATA') return 'There are too few visitors to tell.'
  const isFine = check.status === 'OK'
  switch (check.check) {
    case 'SRM':
      if (check.variationIds?.length)
        return `${allOf(check.variationIds.map(nameOf))} should have no visitors, but some arrived.`
      if (isFine && check.pValue == null) return 'There is no sign of a mismatch so far.'
      return isFine ? 'The visitors are split as planned.' : splitWords(check, units, nameOf)
    case 'CROSSOVER':
      return `${share(check.rate ?? 0)} of the visitors were seen in several variations${isFine ? '.' : `. More than ${share(check.threshold ?? 0)} is too many.`}`
    case 'TRAFFIC_DROP':
      return `The last complete day had ${counted(check.observed ?? 0, 'new visitor')}${check.expected == null ? '.' : `; the days before had about ${Math.round(check.expected).toLocaleString('en')}.`}`
    case 'NO_EXPOSURES':
      if (isFine) return 'Exposures arrive.'
      return check.lastAt
        ? `No exposure has arrived since ${dayOf(check.lastAt)}, although clients are connected.`
        : 'No exposure arrived in 6 hours, although clients are connected.'
    case 'TRAFFIC_CAP':
      return `${counted(check.observed ?? 0, 'visitor')} took part, of at most ${(check.threshold ?? 0).toLocaleString('en')}.`
    case 'VARIATION_STARVED':
      return isFine
        ? 'Every variation gets visitors.'
        : `${allOf((check.variationIds ?? []).map(nameOf))} has no visitors, although the others have many.`
    case 'BALANCE':
      return isFine
        ? 'The variations were alike before the test.'
        : `The variations differed before the test. Chance alone does this ${onceIn(check.pValue ?? 0)} tests.`
    case 'COMPUTATION':
      return isFine ? 'Everything was computed.' : computationWords(setAside)
    case 'ADDRESS_SHARE':
      return isFine
        ? `At most ${share(check.rate ?? 0)} of the visitors of a day came from one network.`
        : `${share(check.rate ?? 0)} of about ${counted(check.observed ?? 0, 'visitor')} came from one network on ${dayOf(`${check.day}T12:00:00Z`)}.`
  }
}

/** What has no figures. Without a list, the snapshot failed as a whole. */
const computationWords = (setAside: Results['setAside'] = []): string =>
  setAside.length === 0
    ? 'The last results could not be computed. These figures are of an earlier time.'
    : `${allOf(setAside.map(({ kind, name }) => `the ${kind.toLowerCase()} ${name}`))} could not be computed. The other figures are right.`.replace(
        /^the/,
        'The',
      )

/** The variation that is furthest from its plan, and how unlikely that is. */
function splitWords(check: Check, { variations }: Results['units'], nameOf: NameOf): string {
  const off = (each: (typeof variations)[number]) => Math.abs((each.share ?? 0) - each.expectedShare)
  const worst = variations.reduce((most, each) => (off(each) > off(most) ? each : most))
  // The sequential test fails at an evidence of 1000, which chance reaches in less than one test of 1000.
  const chance = check.pValue != null && check.pValue < (check.threshold ?? 0) ? check.pValue : 0.001
  return `${nameOf(worst.variationId)} should have ${share(worst.expectedShare)} of the visitors and has ${share(worst.share ?? 0)}. Chance alone does this ${onceIn(chance)} tests.`
}
