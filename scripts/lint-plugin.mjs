// The project's own rules of lint, which .oxlintrc.json turns on. `scripts/seeds/lint.mjs` has breaches of them.

const isQuery = (node) => node?.type === 'CallExpression' && node.callee.property?.name === 'query';

/** A type argument says what rows are and nothing checks it: a schema does. */
const parsedRows = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'Parse the rows: queryRows or queryRow with a schema.' });
    return {
      CallExpression(node) {
        if (isQuery(node) && node.typeArguments) report(node);
      },
      VariableDeclarator(node) {
        const { id, init } = node;
        const takesRows = id.type === 'ObjectPattern' && id.properties[0]?.key?.name === 'rows';
        if (takesRows && init?.type === 'AwaitExpression' && isQuery(init.argument)) report(node);
      },
    };
  },
};

export default { meta: { name: 'lectern' }, rules: { 'parsed-rows': parsedRows } };
