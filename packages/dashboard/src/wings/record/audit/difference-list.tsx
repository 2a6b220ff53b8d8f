import { Disclosure } from '../../../ui/disclosure.tsx'
import classes from './difference-list.module.css'
import { type Difference, differences } from './differences.ts'
import { fieldInWords, valueInWords } from './in-words.ts'

const shownAtOnce = 6
/** Ids of the object itself, which the details of the entry show. */
const saidElsewhere = ['id', 'orgId', 'projectId']

interface DifferenceListProps {
  before: unknown
  after: unknown
  /** The names of ids. */
  names: ReadonlyMap<string, string>
}

/** The changed fields with their values before and after. */
export function DifferenceList({ before, after, names }: DifferenceListProps) {
  const found = differences(before, after).filter(
    ({ path }) => path.length > 1 || !saidElsewhere.includes(path[0] ?? ''),
  )
  if (found.length === 0) return null
  const others = found.slice(shownAtOnce)
  return (
    <>
      <Lines differences={found.slice(0, shownAtOnce)} names={names} />
      {others.length > 0 && (
        <Disclosure summary={others.length === 1 ? 'One more field' : `${others.length} more fields`}>
          <Lines differences={others} names={names} />
        </Disclosure>
      )}
    </>
  )
}

const words = { ADDED: 'added', REMOVED: 'removed', CHANGED: 'changed' }

function Lines({ differences, names }: { differences: Difference[]; names: ReadonlyMap<string, string> }) {
  return (
    <ul className={classes.list} aria-label="What changed">
      {differences.map(({ path, kind, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry never changes
        <li key={index} className={classes.line}>
          <span className={classes.field}>
            {fieldInWords(path, names)} <span className={classes.kind}>{words[kind]}</span>
          </span>
          <span className={classes.values}>
            {kind !== 'ADDED' && <del>{valueInWords(before, path, names)}</del>}
            {kind === 'CHANGED' && (
              <span className={classes.arrow}>
                <span aria-hidden>→</span>
                <span className={classes.spoken}> to </span>
              </span>
            )}
            {kind !== 'REMOVED' && <ins>{valueInWords(after, path, names)}</ins>}
          </span>
        </li>
      ))}
    </ul>
  )
}
