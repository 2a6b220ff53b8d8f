import { Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { segmentOf } from '../../../shell/address.ts'
import { LastChange, useIsDeleted } from '../../../shell/deleted.tsx'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { percentOf } from '../../../ui/words/percent.ts'
import type { Versioned } from '../../../versioned.ts'
import { type ExperimentOnPages, useMayTest } from '../experiments/experiment.ts'
import { ExperimentObject } from '../experiments/experiment-object.tsx'
import { WebTabs } from '../experiments/web-tabs.tsx'
import { useChanges } from './change-set.ts'
import { ChangesSection } from './changes-section.tsx'
import { CodeSection } from './code-section.tsx'
import { CssSection } from './css-section.tsx'
import type { Design, DesignSearch } from './design.ts'
import classes from './design-page.module.css'
import { EditorSection } from './editor-section.tsx'
import { HandOffSection } from './hand-off-section.tsx'
import { Present, useSayPresence } from './presence.tsx'
import { PreviewsSection } from './previews-section.tsx'
import { RedirectSection } from './redirect/redirect-section.tsx'
import { type Saved, useSaveSet } from './save-set.tsx'
import { UnpublishedHere } from './unpublished-here.tsx'

const DesignPanels = lazy(async () => ({ default: (await import('./design-panels.tsx')).DesignPanels }))

const from = '/inside/$org/$project/experiments/$experiment/design/$variation'

/** What a variation of a web experiment changes on pages: a form first, for people and for what an assistant wrote. */
export function DesignPage() {
  const { experiment } = useParams({ from })
  return <ExperimentObject wanted={experiment}>{(found) => <OfExperiment experiment={found} />}</ExperimentObject>
}

function OfExperiment({ experiment: { content, etag } }: { experiment: Versioned<ExperimentOnPages> }) {
  const { variation: wanted } = useParams({ from })
  const { params, project } = usePlace()
  const variation = content.variations.find(({ key }) => key === wanted)
  const back = (
    <TextLink to="/$org/$project/experiments/$experiment" params={{ ...params, experiment: segmentOf(content) }}>
      {content.name}
    </TextLink>
  )
  if (!variation || content.flagId !== null)
    return (
      <NotFound
        noun="variation"
        wanted={wanted}
        place={project.name}
        icon={<IconFlask size={36} />}
        near={[]}
        all={back}
      />
    )
  // Another variation begins again, so that no form of this one goes on with it.
  return <OfVariation key={variation.key} experiment={content} etag={etag} variation={variation} />
}

interface OfVariationProps {
  experiment: ExperimentOnPages
  etag: string
  variation: ExperimentOnPages['variations'][number]
}

function OfVariation({ experiment, etag, variation }: OfVariationProps) {
  const path = { projectId: experiment.projectId, experimentId: experiment.id, variationKey: variation.key }
  const query = useChanges(path)
  const mayEdit = useMayTest()
  const pages = experiment.pages ?? []
  const { save, dialog } = useSaveSet(path, experiment.id, pages)
  return (
    <Page
      title={`${experiment.name}: ${variation.name}`}
      description={<About experiment={experiment} variation={variation} />}
    >
      {!mayEdit && <OnlyFor>You can look at this variation. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="experiment" id={experiment.id} />
      <WebTabs experiment={experiment} variation={variation.key} />
      <VariationTabs experiment={experiment} />
      <Present experiment={experiment} />
      <Loaded query={query} lines={5}>
        {({ content }) => <Shown {...{ experiment, etag, variation, path, pages, content, save }} />}
      </Loaded>
      {dialog}
    </Page>
  )
}

function About({ experiment, variation }: Omit<OfVariationProps, 'etag'>) {
  return (
    <>
      <Status of="experiment" value={experiment.status} /> {percentOf(variation.weight)} of those who take part
      {variation.key === experiment.baselineVariationKey && ', the baseline'}. Its key is {variation.key}.
    </>
  )
}

function VariationTabs({ experiment }: { experiment: ExperimentOnPages }) {
  const { params } = usePlace()
  const { experiment: here } = useParams({ from })
  return (
    <PageTabs label="Variations">
      {experiment.variations.map(({ key, name }, at) => (
        <TextLink
          key={key}
          to="/$org/$project/experiments/$experiment/design/$variation"
          params={{ ...params, experiment: here, variation: key }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          <Variation name={name} place={at} />
        </TextLink>
      ))}
    </PageTabs>
  )
}

type ShownProps = Pick<Design, 'experiment' | 'etag' | 'variation' | 'path' | 'pages' | 'content' | 'save'>

function Shown(props: ShownProps) {
  const { experiment } = props
  const { panel, change } = useSearch({ from })
  const navigate = useNavigate()
  const go = (search: DesignSearch) => void navigate({ to: '.', search, resetScroll: false })
  const mayEdit = useMayTest()
  const isDeleted = useIsDeleted()
  const isOpen = experiment.completedAt === null && experiment.status !== 'ARCHIVED'
  const canEdit = mayEdit && isOpen && !isDeleted
  useSayPresence(props.path, canEdit)
  const isRedirected = props.variation.redirect != null
  useKeys(canEdit && !isRedirected ? { c: { label: 'Add a change', act: () => go({ panel: 'add' }) } } : {})
  const told = (message: string, { news }: Saved, undo?: () => unknown) => {
    const more = experiment.launchedAt === null ? [] : ['Visitors get it with the next publish.']
    announce([message, ...(news === undefined ? more : [news])].join(' '), undo && { undo })
  }
  const canPreview = mayEdit && !isDeleted && experiment.status !== 'ARCHIVED'
  const design: Design = { ...props, canEdit: canEdit && !isRedirected, canRedirect: canEdit, canPreview, told, go }
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {!isOpen && mayEdit && (
          <Text size="sm">
            The experiment has ended, so what it changed can only be read. Duplicate it to continue.
          </Text>
        )}
        <ChangesSection design={design} />
        <CssSection design={design} />
        <CodeSection design={design} />
        <RedirectSection design={design} />
      </div>
      <div className={classes.column}>
        <UnpublishedHere design={design} />
        <EditorSection design={design} />
        <PreviewsSection design={design} />
        <HandOffSection design={design} />
      </div>
      {panel !== undefined && (
        <Suspense>
          <DesignPanels design={design} panel={panel} changeId={change} onClose={() => go({})} />
        </Suspense>
      )}
    </div>
  )
}
