// own reads an element's own members. A form has its fields in place of what they are
// named like, in every world: <input name="children"> hides form.children.
(() => {
  const owns = new WeakMap();
  const handler = {
    get(form, name) {
      const v = Reflect.get(Object.getPrototypeOf(form), name, form);
      return typeof v === 'function' ? v.bind(form) : v;
    },
  };
  return (e) => {
    if (!e || e[Symbol.toStringTag] !== 'HTMLFormElement') return e;
    let o = owns.get(e);
    if (!o) {
      o = new Proxy(e, handler);
      owns.set(e, o).set(o, o);
    }
    return o;
  };
})()
