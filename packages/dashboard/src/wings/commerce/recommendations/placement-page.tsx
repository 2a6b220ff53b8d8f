import { Button, Code, List, NativeSelect, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { MeasureSection } from './measure-section.tsx'
import { type Placement, placementPath, placementsPath, readPlacement, type Variant } from './placement.ts'
import { defaultVariant, limitsInWords, pinInWords, strategiesInWords, variantNames } from './placement-words.ts'
import { PreviewSection } from './preview-section.tsx'

const EditPlacement = lazy(async () => ({ default: (await import('./edit-placement.tsx')).EditPlacement }))

/** One placement: what visitors would get, how its lists are made, and how pages ask for them. */
export function PlacementPage() {
  const { placement: wanted } = useParams({ from: '/inside/$org/$project/commerce/placements/$placement' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="placement"
      wanted={wanted}
      Icon={IconSparkles}
      path={placementPath}
      read={readPlacement}
      near={({ recommendationsPlacements }) => recommendationsPlacements}
      link={({ key, name }) => (
        <TextLink
          to="/$org/$project/commerce/placements/$placement"
          params={{ ...params, placement: key }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <TextLink to="/$org/$project/commerce/placements" params={params}>
          All placements
        </TextLink>
      }
    >
      {(placement) => <Shown placement={placement} />}
    </ObjectPage>
  )
}

function Shown({ placement }: { placement: Versioned<Placement> }) {
  const { content, etag } = placement
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const mayEdit = useMay('recommendations:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('placement', mayEdit)
  const [chosen, setVariant] = useState(defaultVariant)
  const variant = content.variants[chosen] ? chosen : defaultVariant
  const remove = async () => {
    const path = { projectId: project.id, placementId: content.id }
    await api.DELETE(placementPath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/commerce/placements', params })
    await done(`${content.name} deleted.`, placementsPath, indexPath)
  }
  return (
    <Page
      title={content.name}
      description={<Code>{content.key}</Code>}
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button onClick={() => open('edit')}>Edit placement</Button>
          </>
        )
      }
    >
      {!mayEdit && (
        <OnlyFor>You can look at placements and preview them. People who manage integrations can change them.</OnlyFor>
      )}
      <LastChange kind="placement" id={content.id} />
      <ChooseVariant placement={content} variant={variant} onChange={setVariant} />
      <PreviewSection placement={content} variant={variant} />
      <MeasureSection placement={content} />
      <HowItIsMade placement={content} variant={content.variants[variant]!} />
      <AskForIt placement={content} />
      <Suspense fallback={null}>
        {panel === 'edit' && <EditPlacement key={variant} placement={placement} variant={variant} onClose={close} />}
      </Suspense>
      {deletion.isDeleting && (
        <DeleteDialog noun="placement" name={content.name} remove={remove} onClose={deletion.keep}>
          Pages that ask for it get no products. This cannot be undone.
        </DeleteDialog>
      )}
    </Page>
  )
}

interface ChooseVariantProps {
  placement: Placement
  variant: string
  onChange: (variant: string) => void
}

/** A test compares variants: the value of its flag is the name of one. */
function ChooseVariant({ placement, variant, onChange }: ChooseVariantProps) {
  const names = variantNames(placement)
  if (names.length < 2) return null
  return (
    <NativeSelect
      label="Variant"
      description="A page that names none gets the variant default. A test compares them."
      value={variant}
      data={names}
      maw={320}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function HowItIsMade({ placement, variant }: { placement: Placement; variant: Variant }) {
  const { filter, boosts, pins } = variant
  return (
    <Section title="How the list is made" description={`Up to ${counted(placement.limit, 'product')}.`}>
      <Text>{strategiesInWords(variant)}</Text>
      <List size="sm">
        {filter !== null && (
          <List.Item>
            Only items where <ConditionText condition={filter as Condition} />.
          </List.Item>
        )}
        {limitsInWords(variant, placement).map((limit) => (
          <List.Item key={limit}>{limit}</List.Item>
        ))}
        {boosts.map(({ when, sameAs, factor }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: boosts have no name
          <List.Item key={at}>
            {when ? (
              <>
                {boostVerb(factor)} items where <ConditionText condition={when as Condition} /> (weight × {factor}).
              </>
            ) : (
              `${boostVerb(factor)} items with the same ${sameAs} as the product on the page (weight × ${factor}).`
            )}
          </List.Item>
        ))}
      </List>
      {pins.length > 0 && <Pinned pins={pins} />}
    </Section>
  )
}

function Pinned({ pins }: { pins: Variant['pins'] }) {
  const { params } = usePlace()
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Pins
      </Text>
      <List size="sm">
        {pins
          .toSorted((one, other) => one.position - other.position)
          .map((pin) => (
            <List.Item key={`${pin.position} ${pin.productId}`}>
              {pinInWords(pin)}:{' '}
              <TextLink
                to="/$org/$project/commerce/products/$product"
                params={{ ...params, product: pin.productId }}
                underline="always"
              >
                {pin.productId}
              </TextLink>
            </List.Item>
          ))}
      </List>
    </div>
  )
}

/** How a page gets the list. */
function AskForIt({ placement: { key } }: { placement: Placement }) {
  const { environments } = usePlace()
  const sdkKey = environments[0]?.sdkKey ?? '…'
  const sdk = `import { createClient } from '@svc/sdk'
import { shop } from '@svc/sdk/commerce'

const service = { sdkKey: '${sdkKey}', baseUrl: '${location.origin}' }
const { recommend } = shop({ ...service, client: createClient(service), context: { targetingKey: visitorId } })
const { items } = await recommend('${key}', { productIds: ['G17'] })`
  const curl = `curl '${location.origin}/api/sdk/v1/recommendations' \\
  --header 'Content-Type: application/json' \\
  --data '${JSON.stringify({ sdkKey, placement: key, productIds: ['G17'] })}'`
  return (
    <Section title="Ask for it" description="Pages show the products that they get, in this order.">
      <CodeSnippet
        label="Ask for it"
        snippets={[
          { language: 'JavaScript', code: sdk },
          { language: 'curl', code: curl },
        ]}
      />
    </Section>
  )
}

/** What a boost does to its items. */
const boostVerb = (factor: number): string => (factor < 1 ? 'Lowers' : 'Raises')
