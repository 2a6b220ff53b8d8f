import { type DatabaseConnection, PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely'

/**
 * Kysely's, but a transaction does not wait for the answer to its `begin`: the first statements go out in the same trip.
 * Only the loss of the connection can make a `begin` fail, and then everything behind it fails as well.
 */
export class EagerDialect extends PostgresDialect {
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new EagerDriver({ pool: this.#pool })
  }
}

class EagerDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>()

  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    const begun = super.beginTransaction(connection, settings)
    begun.catch(() => {})
    this.#begun.set(connection, begun)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begun.get(connection)
    await super.commitTransaction(connection)
  }
}
