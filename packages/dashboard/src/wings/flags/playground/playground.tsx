import { Button, Checkbox, Radio, Text, TextInput } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { ToSubjects, useSubject } from '../../../shell/subject.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { namesById } from '../../../ui/conditions/condition-words.ts'
import { useSettled } from '../../../ui/form/settled.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { CurlCall } from './curl-call.tsx'
import { useEvaluation } from './evaluation.ts'
import { FlagResult } from './flag-result.tsx'
import classes from './playground.module.css'
import { type Moment, momentOf, otherPoint, type PlaygroundSearch, pointOf } from './playground-search.ts'
import { differs, paired } from './reasons.ts'
import type { Context } from './visitor.ts'
import { VisitorFields } from './visitor-fields.tsx'

/** Results on the screen before "Show more". */
const step = 50

interface PlaygroundProps {
  /** What of the playground is in the address of the page. */
  search: PlaygroundSearch
  index: ProjectIndex
  environment: { id: string; key: string; name: string }
  /** Chooses environment and flag, where the page does not fix them. */
  where?: ReactNode
}

/** Changes what of the playground is in the address. */
export function useChange() {
  const navigate = useNavigate()
  return (change: Partial<Record<keyof PlaygroundSearch, unknown>>) =>
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, ...change })) as never,
      replace: true,
      resetScroll: false,
    })
}

/** A visitor, and what the visitor gets. */
export function Playground({ search, index, environment, where }: PlaygroundProps) {
  const set = useChange()
  const { project } = usePlace()
  const newest = index.environments?.find(({ key }) => key === environment.key)?.revision ?? 0
  const names = {
    audiences: namesById(index.audiences),
    segments: namesById(index.segments),
    ...(project.type === 'WEB' && {
      experiments: new Map((index.experiments ?? []).map(({ shortId, name }) => [`x${shortId}`, name])),
    }),
  }
  return (
    <>
      <Section title="Visitor">
        {where}
        <Moments search={search} newest={newest} onChange={set} />
        <VisitorFields
          context={search.visitor ?? {}}
          attributes={index.attributes ?? []}
          onChange={(visitor) => set({ visitor: Object.keys(visitor).length === 0 ? undefined : visitor })}
        />
      </Section>
      <Results
        search={search}
        environment={environment}
        isKnown={search.flag === undefined || keysIn(index, project.type).includes(search.flag)}
        onDiffers={(only) => set({ differs: only || undefined })}
        names={names}
      />
    </>
  )
}

/** The keys by which the playground finds a flag, or a web experiment. */
export const keysIn = ({ flags, experiments }: ProjectIndex, type: string): string[] =>
  type === 'WEB' ? (experiments ?? []).map(({ shortId }) => `x${shortId}`) : (flags ?? []).map(({ key }) => key)

interface MomentsProps {
  search: PlaygroundSearch
  newest: number
  onChange: (change: Partial<Record<keyof PlaygroundSearch, unknown>>) => void
}

const none = { draft: undefined, revision: undefined, at: undefined }

function Moments({ search, newest, onChange }: MomentsProps) {
  const moment = momentOf(search)
  const choices: Record<Moment, () => object> = {
    live: () => none,
    draft: () => ({ ...none, draft: true }),
    revision: () => ({ ...none, revision: search.revision ?? newest }),
    at: () => ({ ...none, at: new Date().toISOString() }),
  }
  return (
    <div className={classes.moments}>
      <Radio.Group
        label="Evaluate"
        value={moment}
        onChange={(value) => onChange(choices[value as Moment]())}
        className={classes.group ?? ''}
      >
        <div className={classes.radios}>
          <Radio value="live" label="Live" />
          <Radio value="draft" label="After publish" />
          <Radio value="revision" label="A revision" />
          <Radio value="at" label="A time" />
        </div>
      </Radio.Group>
      {moment === 'revision' && (
        <RevisionField
          revision={search.revision ?? newest}
          newest={newest}
          onChange={(revision) => onChange({ revision })}
        />
      )}
      {moment === 'at' && (
        <DateInput
          type="datetime-local"
          label="Time, in your time zone"
          defaultValue={localTime(search.at!)}
          onChange={({ currentTarget: { value } }) => {
            const at = new Date(value)
            if (!Number.isNaN(at.getTime())) onChange({ at: at.toISOString() })
          }}
        />
      )}
    </div>
  )
}

function RevisionField(props: { revision: number; newest: number; onChange: (revision: number) => void }) {
  const [text, setText] = useSettled(String(props.revision), (typed) => {
    if (/^\d{1,9}$/.test(typed)) props.onChange(Number(typed))
  })
  return (
    <TextInput
      label={`Revision, 0 to ${props.newest}`}
      inputMode="numeric"
      value={text}
      error={/^\d{1,9}$/.test(text) ? undefined : 'Type the number of a revision.'}
      onChange={(event) => setText(event.currentTarget.value.trim())}
    />
  )
}

/** The form that the browser's field for a date and a time takes. */
function localTime(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** What each moment is compared with, beside a value and in a sentence. */
const sides: Record<Moment, { label: string; words: string }> = {
  live: { label: 'after publish', words: 'after the next publish' },
  draft: { label: 'live', words: 'live' },
  revision: { label: 'now', words: 'now' },
  at: { label: 'now', words: 'now' },
}

interface ResultsProps {
  search: PlaygroundSearch
  environment: { id: string; key: string; name: string }
  /** Whether the project has the flag of the address, if it names one. */
  isKnown: boolean
  onDiffers: (only: boolean) => void
  names: Parameters<typeof FlagResult>[0]['names']
}

function Results({ search, environment, isKnown, onDiffers, names }: ResultsProps) {
  const { project, params } = usePlace()
  const organization = useOrganization()!
  const context: Context = search.visitor ?? {}
  const [shown, setShown] = useState(step)
  const question = { context, ...(search.flag !== undefined && { flagKeys: [search.flag] }) }
  const body = { ...question, ...pointOf(search) }
  const query = useEvaluation(project.id, environment.id, body)
  const other = useEvaluation(project.id, environment.id, { ...question, ...otherPoint(search) })
  const side = sides[momentOf(search)]
  const isOne = search.flag !== undefined

  return (
    <Section
      title={isOne ? 'Result' : 'Results'}
      actions={
        <>
          <Checkbox
            label="Only what differs"
            checked={search.differs === true}
            onChange={(event) => onDiffers(event.currentTarget.checked)}
          />
          <CopyButton text={location.href} label="Copy link" size="xs" />
        </>
      }
      description="A copied link contains the visitor with all attributes. Anyone who has the link can read them."
    >
      <Loaded query={query}>
        {(flags) => {
          const pairs = paired(flags, other.data)
          const different = pairs.filter(differs)
          const listed = search.differs ? different : pairs
          return (
            <div className={classes.results}>
              {!isKnown && <Unknown flag={search.flag!} />}
              <Summary count={pairs.length} different={other.data && different.length} side={side.words} />
              {listed.slice(0, shown).map((pair) => (
                <FlagResult
                  key={pair.flag.flagKey}
                  pair={pair}
                  side={side.label}
                  isOpen={isOne}
                  names={names}
                  params={params}
                  envKey={environment.key}
                  isNow={momentOf(search) === 'live' || momentOf(search) === 'draft'}
                />
              ))}
              {listed.length > shown && (
                <Button variant="default" onClick={() => setShown(shown + step)}>
                  Show more
                </Button>
              )}
              {pairs.length === 0 && <Nothing place={environment.name} />}
            </div>
          )
        }}
      </Loaded>
      <CurlCall
        summary="The same with curl"
        label="Evaluate"
        project={project.key}
        environment={environment.key}
        organization={organization.shortId}
        action="evaluate"
        body={body}
      />
    </Section>
  )
}

/** A past revision, or a key that was renamed since, can still have it, so what follows is shown. */
function Unknown({ flag }: { flag: string }) {
  const { one, many } = useSubject()
  return (
    <Notice tone="warning" says="politely" title={`No ${one} has the key “${flag}”`}>
      Check how it is written, or choose one of the list. Leave the field empty to try all {many}.
    </Notice>
  )
}

function Nothing({ place }: { place: string }) {
  const { many } = useSubject()
  return (
    <EmptyState icon={<IconFlag size={36} />} title={`No ${many} here`} action={<ToSubjects />}>
      {place} serves no {many} at this point.
    </EmptyState>
  )
}

interface SummaryProps {
  count: number
  /** Undefined while the other side is not known. */
  different: number | undefined
  side: string
}

function Summary(props: SummaryProps) {
  const { one } = useSubject()
  return (
    <Text size="sm" role="status">
      {summary({ ...props, one })}
    </Text>
  )
}

function summary({ count, different, side, one }: SummaryProps & { one: string }): string {
  if (different === undefined) return counted(count, one)
  if (count === 1) return `1 ${one}, with ${different === 0 ? 'the same' : 'another'} value ${side}.`
  const words =
    different === 0 ? `none has another value ${side}` : `${different.toLocaleString('en')} with another value ${side}`
  return `${counted(count, one)}, ${words}.`
}
