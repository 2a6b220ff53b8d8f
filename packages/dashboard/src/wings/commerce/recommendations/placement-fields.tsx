import { Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { Choices } from '../../../ui/form/choices.tsx'
import { type Form, first } from '../../../ui/form/form.tsx'
import { ProductInput } from '../products/product-input.tsx'
import { RowsField } from '../rows-field.tsx'
import { IconButton } from './icon-button.tsx'
import { BoostFields, FilterField } from './item-fields.tsx'
import type { PinRow, PlacementValues } from './placement-form.ts'
import { strategies, strategyName } from './placement-words.ts'
import classes from './recommendations.module.css'

type PlacementForm = Pick<Form<PlacementValues>, 'values' | 'set' | 'field' | 'error' | 'issues'>

/** What a placement is for all of its variants. */
export function OwnFields({ form }: { form: PlacementForm }) {
  const { values, set } = form
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example: Product page."
        autoComplete="off"
        {...first}
      />
      <TextInput
        {...form.field('limit')}
        label="Products in the list"
        description="At most 50."
        inputMode="numeric"
        autoComplete="off"
      />
      <Checkbox
        label="Also show what can be ordered in advance or is sent later"
        description="What is out of stock is never shown."
        checked={values.includePreorder}
        onChange={(event) => set('includePreorder', event.currentTarget.checked)}
      />
      <Checkbox
        label="Use what the service knows of a visitor"
        description="SDK keys are public, so the list of a guessed visitor then tells what that visitor did."
        checked={values.history}
        onChange={(event) => set('history', event.currentTarget.checked)}
      />
    </>
  )
}

/** How the list of one variant is made. */
export function VariantFields({ form }: { form: PlacementForm }) {
  const { values, set } = form
  return (
    <>
      <Strategies form={form} />
      <Checkbox
        label="Only products of the category of the product on the page"
        checked={values.sameCategory}
        onChange={(event) => set('sameCategory', event.currentTarget.checked)}
      />
      <Checkbox
        label="Without what the visitor has bought"
        checked={values.excludeBought}
        onChange={(event) => set('excludeBought', event.currentTarget.checked)}
      />
      <Group grow align="flex-start">
        <TextInput
          {...form.field('maxPerBrand')}
          label="Most of one brand"
          description="Empty: no limit."
          inputMode="numeric"
          autoComplete="off"
        />
        <TextInput
          {...form.field('maxPerCategory')}
          label="Most of one category"
          description="Empty: no limit."
          inputMode="numeric"
          autoComplete="off"
        />
      </Group>
      <FilterField form={form} />
      <BoostFields form={form} />
      <Pins form={form} />
    </>
  )
}

const names = Object.keys(strategies)

/** What fills the list, one after the other until it is full. */
function Strategies({ form: { values, set, error } }: { form: PlacementForm }) {
  const chosen = values.strategies
  const change = (next: string[]) => set('strategies', next)
  const swapped = (at: number, to: number) =>
    chosen.map((each, place) => (place === at ? chosen[to]! : place === to ? chosen[at]! : each))
  const left = names.filter((name) => !chosen.includes(name))
  return (
    <Choices
      legend="What fills the list"
      name="strategies"
      description="The first one fills the list as far as it can, then the next. With none, the list has only pins."
      error={error('strategies')}
    >
      <ol className={classes.strategies}>
        {chosen.map((strategy, at) => (
          <li key={strategy}>
            <span className={classes.strategy}>
              <Text component="span" size="sm" fw={600}>
                {strategyName(strategy)}
              </Text>
              <Text component="span" size="xs" c="dimmed">
                {strategies[strategy as keyof typeof strategies]?.about ?? 'A model of this project.'}
              </Text>
            </span>
            <IconButton
              label={`Move ${strategyName(strategy)} up`}
              Icon={IconArrowUp}
              disabled={at === 0}
              onClick={() => change(swapped(at, at - 1))}
            />
            <IconButton
              label={`Move ${strategyName(strategy)} down`}
              Icon={IconArrowDown}
              disabled={at === chosen.length - 1}
              onClick={() => change(swapped(at, at + 1))}
            />
            <IconButton
              label={`Remove ${strategyName(strategy)}`}
              Icon={IconX}
              onClick={() => change(chosen.filter((each) => each !== strategy))}
            />
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <NativeSelect
          aria-label="Add what fills the list"
          value=""
          data={[{ value: '', label: 'Add…' }, ...left.map((name) => ({ value: name, label: strategyName(name) }))]}
          onChange={(event) => event.currentTarget.value !== '' && change([...chosen, event.currentTarget.value])}
        />
      )}
    </Choices>
  )
}

/** Products at fixed positions. */
function Pins({ form: { values, set, error } }: { form: PlacementForm }) {
  return (
    <Choices
      legend="Pins"
      name="pins"
      description="Products at fixed positions, counted from 1. They ignore filter and limits, but are never shown without stock."
      error={error('pins')}
    >
      <RowsField<PinRow>
        name="pins"
        rows={values.pins}
        empty={{ key: '', position: String(values.pins.length + 1) }}
        add="Pin a product"
        nameOf={({ key }, at) => (key.trim() === '' ? `pin ${at + 1}` : key.trim())}
        onChange={(rows, input) => set('pins', rows, input)}
      >
        {(row, at, change) => (
          <>
            <ProductInput
              aria-label={`Product of pin ${at + 1}`}
              name={`pins.${at}.key`}
              value={row.key}
              placeholder="Title or id of a product"
              error={error(`pins.${at}.key` as never)}
              onChange={(key) => change('key', key)}
            />
            <TextInput
              aria-label={`Position of pin ${at + 1}`}
              name={`pins.${at}.position`}
              value={row.position}
              inputMode="numeric"
              error={error(`pins.${at}.position` as never)}
              autoComplete="off"
              onChange={(event) => change('position', event.currentTarget.value)}
            />
          </>
        )}
      </RowsField>
    </Choices>
  )
}
