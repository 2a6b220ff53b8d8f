import { Radio, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../../api.ts'
import { useProjectIndex } from '../../../../shell/index-query.ts'
import { namesById } from '../../../../ui/conditions/condition-words.ts'
import { pageSentence } from '../../../../ui/conditions/page-words.ts'
import { Choices } from '../../../../ui/form/choices.tsx'
import { useSettled } from '../../../../ui/form/settled.ts'
import { Disclosure } from '../../../../ui/layout/disclosure.tsx'
import { Loaded } from '../../../../ui/layout/loaded.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { Notice } from '../../../../ui/notice/notice.tsx'
import { StatusDot } from '../../../../ui/status/status-dot.tsx'
import type { Context } from '../../../flags/playground/visitor.ts'
import { VisitorFields } from '../../../flags/playground/visitor-fields.tsx'
import { type ExperimentOnPages, onePath } from '../experiment.ts'
import { addressFault, isAddress, visitorAttributes } from './pages.ts'
import classes from './targeting.module.css'
import { valuesOf } from './targeting.ts'
import { type Trial, trialWords } from './trial-words.ts'

type Version = 'DRAFT' | 'LIVE'

interface TesterProps {
  experiment: ExperimentOnPages
  /** What was typed and is not saved yet: the tester does not know it. */
  isEdited: boolean
}

/** Tries an address and a visitor: which pages the address is, and which variation the visitor gets and why. */
export function Tester({ experiment, isEdited }: TesterProps) {
  const { data: index } = useProjectIndex()
  const [url, setUrl] = useState(() => experiment.pages?.find((page) => page.url !== null)?.url ?? '')
  const [visitor, setVisitor] = useState<Context>({ targetingKey: 'visitor-1' })
  const [version, setVersion] = useState<Version>('DRAFT')
  const [typed, setTyped] = useSettled(url, setUrl)
  const isFault = typed.trim() !== '' && typed === url && !isAddress(url)
  const others = (index?.attributes ?? []).filter(
    (name) => !name.startsWith('page.') && !visitorAttributes.includes(name),
  )
  return (
    <Section title="Try an address" description="Nothing changes, and nobody is counted.">
      <TextInput
        label="Address"
        description="With query and hash, as your visitors open it."
        placeholder="https://shop.example/pricing"
        value={typed}
        error={isFault ? addressFault : undefined}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {experiment.launchedAt !== null && (
        <Choices legend="Try">
          <Radio label="The draft" checked={version === 'DRAFT'} onChange={() => setVersion('DRAFT')} name="version" />
          <Radio
            label="What visitors get now"
            checked={version === 'LIVE'}
            onChange={() => setVersion('LIVE')}
            name="version"
          />
        </Choices>
      )}
      <Disclosure summary="Visitor">
        <VisitorFields context={visitor} attributes={[...visitorAttributes, ...others]} onChange={setVisitor} />
      </Disclosure>
      {isEdited && version === 'DRAFT' && (
        <Text size="sm" c="dimmed">
          This tries the draft as it is saved. Save to try your edits.
        </Text>
      )}
      <Answer experiment={experiment} url={url} visitor={visitor} version={version} />
    </Section>
  )
}

const tryPath = `${onePath}/try` as const

interface AnswerProps {
  experiment: ExperimentOnPages
  url: string
  visitor: Context
  version: Version
}

function Answer({ experiment, url, visitor, version }: AnswerProps) {
  const { id, projectId, updatedAt } = experiment
  const path = { projectId, experimentId: id }
  const body = { url: url.trim(), context: visitor, version }
  const query = useQuery({
    queryKey: ['get', tryPath, path, body, updatedAt],
    queryFn: async ({ signal }) => (await api.POST(tryPath, { params: { path }, body, signal })).data!.data,
    enabled: isAddress(url),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
  return (
    <div className={classes.answer} role="status">
      {isAddress(url) && (
        <Loaded query={query} lines={3}>
          {(trial) => <Tried trial={trial} experiment={experiment} isDraft={version === 'DRAFT'} />}
        </Loaded>
      )}
    </div>
  )
}

interface TriedProps {
  trial: Trial
  experiment: ExperimentOnPages
  isDraft: boolean
}

function Tried({ trial, experiment, isDraft }: TriedProps) {
  const { data: index } = useProjectIndex()
  const pages = valuesOf(experiment).pages
  const names = {
    audiences: namesById(index?.audiences),
    segments: namesById(index?.segments),
  }
  const { tone, headline, reasons } = trialWords(trial, { ...experiment, pages }, names)
  return (
    <>
      <Notice tone={tone} title={headline}>
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Notice>
      {/* Of what visitors get now, only the names of the pages are known here. */}
      {isDraft && pages.length > 0 && (
        <ul className={classes.matches} aria-label="Pages">
          {pages.map(({ key, name, conditions }) => (
            <li key={key}>
              <StatusDot tone={trial.pages.includes(key) ? 'good' : 'note'}>
                <b>{name}</b> {trial.pages.includes(key) ? 'is this address' : 'is not this address'}:{' '}
                {pageSentence(conditions)}
              </StatusDot>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
