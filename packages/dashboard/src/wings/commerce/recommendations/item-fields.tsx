import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { ConditionBuilder } from '../../../ui/conditions/condition-builder.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { type BoostFor, type BoostRow, boostFors, newBoost } from './boost-form.ts'
import { IconButton } from './icon-button.tsx'
import { firstCondition, hasConditions, itemFields, itemWording, refusedOf } from './item-conditions.ts'
import type { PlacementValues } from './placement-form.ts'
import classes from './recommendations.module.css'

type PlacementForm = Pick<Form<PlacementValues>, 'values' | 'set' | 'error' | 'issues'>

/** Which items can be shown. */
export function FilterField({ form: { values, set, error, issues } }: { form: PlacementForm }) {
  const { filter } = values
  return (
    <Choices
      legend="Filter"
      name="filter"
      description="Only items that pass are shown: price is less than 100, labels includes any of summer, attributes.size is M."
    >
      {hasConditions(filter) ? (
        <ItemConditions
          label="Items that can be shown"
          name="filter"
          condition={filter}
          onChange={(next) => set('filter', next)}
          error={error('filter')}
          refused={refusedOf(issues, ['filter'])}
        />
      ) : (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => set('filter', firstCondition)}
          >
            Add a filter
          </Button>
        </div>
      )}
    </Choices>
  )
}

/** What moves up or down in the list. */
export function BoostFields({ form }: { form: PlacementForm }) {
  const { values, set, error } = form
  const { boosts } = values
  return (
    <Choices
      legend="Boosts"
      name="boosts"
      description="The score of a product is multiplied: above 1 it moves up, below 1 down. All that apply count."
      error={error('boosts')}
    >
      {boosts.map((boost, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: boosts have no name
        <Boost key={at} form={form} boost={boost} at={at} />
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set('boosts', [...boosts, newBoost])}
        >
          Add a boost
        </Button>
      </div>
    </Choices>
  )
}

const fors = Object.entries(boostFors).map(([value, label]) => ({ value, label }))

function Boost({ form, boost, at }: { form: PlacementForm; boost: BoostRow; at: number }) {
  const { values, set, error, issues } = form
  const named = (part: keyof BoostRow) => `boosts.${at}.${part}`
  const fault = (part: keyof BoostRow) => error(named(part) as never)
  const change = (part: keyof BoostRow, next: Partial<BoostRow>) =>
    set(
      'boosts',
      values.boosts.map((each, place) => (place === at ? { ...each, ...next } : each)),
      named(part),
    )
  return (
    <fieldset className={classes.boost} aria-label={`Boost ${at + 1}`}>
      <div className={classes.boostRow}>
        <NativeSelect
          aria-label={`What boost ${at + 1} is for`}
          value={boost.for}
          data={fors}
          onChange={(event) => change('for', { for: event.currentTarget.value as BoostFor })}
        />
        <TextInput
          aria-label={`Factor of boost ${at + 1}`}
          name={named('factor')}
          leftSection="×"
          value={boost.factor}
          error={fault('factor')}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => change('factor', { factor: event.currentTarget.value })}
        />
        <IconButton
          label={`Remove boost ${at + 1}`}
          Icon={IconX}
          onClick={() =>
            set(
              'boosts',
              values.boosts.filter((_, place) => place !== at),
            )
          }
        />
      </div>
      <Stack gap="xs">
        {boost.for === 'ATTRIBUTE' && (
          <TextInput
            label="Own field"
            name={named('attribute')}
            leftSection="attributes."
            leftSectionWidth={92}
            placeholder="color"
            value={boost.attribute}
            error={fault('attribute')}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change('attribute', { attribute: event.currentTarget.value })}
          />
        )}
        {boost.for === 'CONDITIONS' && (
          <ItemConditions
            label="Items that it is for"
            name={named('when')}
            condition={boost.when}
            onChange={(when) => change('when', { when })}
            error={fault('when')}
            refused={refusedOf(issues, ['boosts', at, 'when'])}
          />
        )}
      </Stack>
    </fieldset>
  )
}

/** A builder of conditions about items instead of people. */
function ItemConditions(props: Omit<ComponentProps<typeof ConditionBuilder>, 'attributes' | 'wording'>) {
  return <ConditionBuilder {...props} attributes={itemFields} wording={itemWording} />
}
