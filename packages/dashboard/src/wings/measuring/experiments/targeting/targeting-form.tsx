import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import { api } from '../../../../api.ts'
import { useEditForm } from '../../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../../shell/live.tsx'
import { missingCondition } from '../../../../ui/conditions/condition-check.ts'
import { Choices } from '../../../../ui/form/choices.tsx'
import { ApiForm, type Form } from '../../../../ui/form/form.tsx'
import { PercentField } from '../../../../ui/form/percent-field.tsx'
import { Disclosure } from '../../../../ui/layout/disclosure.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../../versioned.ts'
import { WhoFields } from '../../../flags/rules/rule-fields.tsx'
import { KeptApartFields } from '../../../flags/rules/validity-fields.tsx'
import { type ExperimentOnPages, listPath, onePath, readExperiment } from '../experiment.ts'
import { useNamesHere } from './names-here.ts'
import { PagesField } from './page-fields.tsx'
import { inputOfPages, pageFaults } from './pages.ts'
import classes from './targeting.module.css'
import {
  activationChoices,
  applyAtChoices,
  labels,
  selectorRule,
  type TargetingValues,
  updateOf,
  valuesOf,
  wordsOf,
} from './targeting.ts'
import { Tester } from './tester.tsx'

type TargetingForm = Form<TargetingValues>

/** The targeting as a form, with the tester beside it. */
export function Targeting({ experiment }: { experiment: Versioned<ExperimentOnPages> }) {
  const { content, etag } = experiment
  const done = useDone()
  const changed = useChangedBy('experiment', content.id)
  const names = useNamesHere()
  const path = { projectId: content.projectId, experimentId: content.id }
  const saved = valuesOf(content)
  const { form, dialog } = useEditForm<TargetingValues, ExperimentOnPages>({
    object: `targeting:${content.id}`,
    base: { content: saved, etag },
    rules: { conditions: missingCondition, activationSelector: selectorRule },
    partRules: ({ pages }) => pageFaults(pages),
    inputOf: (issue, { pages }) => inputOfPages(issue, pages),
    read: async () => {
      const latest = await readExperiment(content.projectId, content.id)
      return { content: valuesOf(latest.content), etag: latest.etag }
    },
    write: async (values, etag, base) => {
      const body = updateOf(values, base)
      const { data } = await api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body })
      return data!.data
    },
    done: (after) =>
      done(
        after.launchedAt === null
          ? 'Targeting saved.'
          : 'Targeting saved. Visitors get it when you publish the experiment.',
        listPath,
        onePath,
      ),
    changed,
    labels: { ...labels, pages: 'The list of pages', audienceIds: 'The list of audiences' },
    shown: (field, value) => wordsOf(field, value, names),
  })
  return (
    <div className={classes.columns}>
      <div>
        <ApiForm
          form={form}
          verb="Save targeting"
          summary={
            content.launchedAt === null
              ? 'It is a draft until you launch the experiment.'
              : 'Visitors get it when you publish the experiment.'
          }
          failed="The targeting was not saved"
        >
          <PagesSection form={form} savedKeys={saved.pages.map(({ key }) => key)} />
          <VisitorsSection form={form} />
          <MomentSection form={form} programKey={`x${content.shortId}`} />
        </ApiForm>
        {dialog}
      </div>
      <div className={classes.tester}>
        <Tester experiment={content} isEdited={JSON.stringify(form.values) !== JSON.stringify(saved)} />
      </div>
    </div>
  )
}

const faultOf = ({ faults }: TargetingForm, input: string): string | undefined =>
  faults.find(({ name }) => name === input)?.message

function PagesSection({ form, savedKeys }: { form: TargetingForm; savedKeys: readonly string[] }) {
  return (
    <Section title="Pages" description="A visitor takes part on any of these pages.">
      <PagesField
        pages={form.values.pages}
        savedKeys={savedKeys}
        onChange={(pages, input) => form.set('pages', pages, input)}
        errorOf={(input) => faultOf(form, input)}
        error={form.error('pages')}
        issues={form.issues}
      />
    </Section>
  )
}

function VisitorsSection({ form }: { form: TargetingForm }) {
  const { values, setAll, error, issues } = form
  return (
    <Section title="Visitors" description="Everyone else sees the page as it is and is not counted.">
      <Stack gap="lg">
        <WhoFields values={values} set={setAll} errorOf={error} issues={issues} />
        <PercentField
          name="trafficAllocation"
          label="Traffic"
          value={values.trafficAllocation}
          onChange={(trafficAllocation) => setAll({ trafficAllocation })}
          error={error('trafficAllocation')}
          description="How many of these visitors take part."
        />
        <Disclosure
          summary="Exclusion group and holdout"
          isOpenAtFirst={values.exclusionGroupId !== '' || values.holdoutId !== ''}
        >
          <Stack gap="sm">
            <KeptApartFields values={values} set={setAll} errorOf={error} />
          </Stack>
        </Disclosure>
      </Stack>
    </Section>
  )
}

function MomentSection({ form, programKey }: { form: TargetingForm; programKey: string }) {
  const { values, set, error, field } = form
  return (
    <Section title="From when on">
      <Stack gap="lg">
        <Choices
          legend="A visitor counts"
          name="activation"
          description="It is the same for every variation."
          error={error('activation')}
        >
          {activationChoices(programKey).map(({ value, label, means }) => (
            <Radio
              key={value}
              name="activation"
              label={label}
              description={means}
              checked={values.activation === value}
              onChange={() => set('activation', value)}
            />
          ))}
        </Choices>
        {values.activation === 'SEEN' && (
          <TextInput
            {...field('activationSelector')}
            label="Selector of the element"
            description="CSS. The element must exist in every variation. It counts as seen when half of it shows."
            placeholder=".pricing-table"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <NativeSelect
          {...field('applyAt')}
          label="Changes are applied"
          description={applyAtChoices.find(({ value }) => value === values.applyAt)?.means}
          data={applyAtChoices.map(({ value, label }) => ({ value, label }))}
        />
      </Stack>
    </Section>
  )
}
