import { Anchor, Text } from '@mantine/core'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { pageWording } from '../../../ui/conditions/page-words.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { percentOf } from '../../../ui/words/percent.ts'
import type { ExperimentOnPages } from './experiment.ts'
import classes from './web-content.module.css'
import { contentWords } from './web-words.ts'

interface PartProps {
  experiment: ExperimentOnPages
}

/** What visitors of each variation see, with the way to its design and its hand-off. */
export function TestedVariations({ experiment }: PartProps) {
  const { params } = usePlace()
  const { variations, baselineVariationKey } = experiment
  const at = { ...params, experiment: segmentOf(experiment) }
  return (
    <Section title="Variations">
      <ul className={classes.list} aria-label="Variations">
        {variations.map((variation, place) => {
          const { key, name, weight } = variation
          const to = {
            to: '/$org/$project/experiments/$experiment/design/$variation',
            params: { ...at, variation: key },
          } as const
          return (
            <li key={key} className={classes.row}>
              <div className={classes.words}>
                <TextLink {...to} fw={600} underline="hover">
                  <Variation name={name} place={place} />
                </TextLink>
                <Text size="sm" c="dimmed" component="div">
                  {percentOf(weight)}
                  {key === baselineVariationKey && ', the baseline'}
                </Text>
              </div>
              <Text size="sm" className={classes.does ?? ''}>
                {contentWords(variation)}
              </Text>
              <TextLink {...to} search={{ panel: 'hand-off' }} size="sm" aria-label={`Hand-off of ${name}`}>
                Hand-off
              </TextLink>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** Where visitors take part. */
export function TestedPages({ experiment: { pages, activation, activationSelector } }: PartProps) {
  const all = pages ?? []
  return (
    <Section title="Pages" description="Visitors take part on any of these pages.">
      {all.length === 0 ? (
        <Text size="sm">There are no pages yet, so nobody can take part.</Text>
      ) : (
        <ul className={classes.list} aria-label="Pages">
          {all.map(({ key, name, url, conditions }) => (
            <li key={key} className={classes.row}>
              <div className={classes.words}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                {url !== null && (
                  <Anchor
                    href={url}
                    target="_blank"
                    rel="noopener noreferrer"
                    size="sm"
                    className={classes.address ?? ''}
                  >
                    {url}
                  </Anchor>
                )}
              </div>
              <Text size="sm" component="div" className={classes.does ?? ''}>
                <ConditionText condition={conditions as Condition} names={pageWording} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {activation === 'SEEN' && (
        <Text size="sm">
          Visitors count when they see <code>{activationSelector}</code>.
        </Text>
      )}
      {activation === 'CALL' && (
        <Text size="sm">
          Visitors count when the page calls <code>svc.activate</code>.
        </Text>
      )}
    </Section>
  )
}
