//! A tool before it is added: what it says about itself, and what it does. What may not enter: whether that is
//! right, see `definition`.

use std::fmt;
use std::future::Future;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::IntoAnswer;
use super::derived::{self, whole_numbers};
use super::unread;
use crate::{BoxFuture, CallError, ToolDef, ToolError, ToolResult};

/// What runs a tool once its arguments fit.
pub(super) type Handler =
    Box<dyn Fn(Map<String, Value>) -> BoxFuture<'static, Result<ToolResult, CallError>> + Send + Sync>;

/// A tool for a [`Registry`](super::Registry). What it needs besides its arguments its closure brings along, such as
/// an `Arc` of a connection.
#[must_use = "a tool is called only once it was added to a registry"]
pub struct Tool {
    definition: Map<String, Value>,
    run: Handler,
}

/// The arguments of a tool that takes none.
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool};
///
/// Registry::new().add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }).read_only())?;
/// # Ok::<(), frankly_contract::InvalidTool>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct NoArguments {}

impl Tool {
    /// A tool whose arguments are a struct, from which its schema is derived: doc comments become descriptions, and
    /// nested objects are as closed as the whole.
    ///
    /// A whole number may be sent as `50` or as `50.0`, which are the same in JSON. What the schema lets through and
    /// the struct refuses, by a `Deserialize` of its own, is `INVALID_ARGS` like what the schema refuses: it names the
    /// argument, and repeats the message of that `Deserialize` unless a value in it looks secret.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page, Registry, Tool, ToolError};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct ListOrders {
    ///     /// Rows per page, e.g. 20.
    ///     #[schemars(range(min = 1, max = 200))]
    ///     limit: u64,
    ///     cursor: Option<Cursor>,
    /// }
    ///
    /// let orders = Tool::typed("list_orders", "Lists orders, oldest first.", |list: ListOrders| async move {
    ///     let start = list.cursor.unwrap_or_default();
    ///     Ok(Page::new(vec!["lamp"], start, list.limit, || 1, "raise `limit`"))
    /// });
    /// Registry::new().add(orders.read_only().returning::<Page<String>>())?;
    /// # Ok::<(), frankly_contract::InvalidTool>(())
    /// ```
    pub fn typed<A, R, F, Fut>(name: impl Into<String>, description: impl Into<String>, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: IntoAnswer,
        F: Fn(A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let definition = ToolDef::new(name, description, derived::input_schema::<A>());
        Self::with_schema(definition, run)
    }

    /// A tool whose definition was written by hand, and whose arguments are read into a type after they were held
    /// against its input schema.
    ///
    /// ```
    /// use frankly_contract::{Registry, Tool, ToolDef};
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// #[derive(Deserialize)]
    /// struct Wait {
    ///     seconds: u64,
    /// }
    ///
    /// let schema = json!({
    ///     "type": "object", "required": ["seconds"],
    ///     "properties": {"seconds": {"type": "integer", "minimum": 1, "maximum": 60}},
    /// });
    /// let wait = ToolDef::new("wait", "Waits so many seconds.", schema);
    /// let run = |wait: Wait| async move { Ok(format!("waited {} s", wait.seconds)) };
    /// Registry::new().add(Tool::with_schema(wait, run))?;
    /// # Ok::<(), frankly_contract::InvalidTool>(())
    /// ```
    pub fn with_schema<A, R, F, Fut>(definition: ToolDef, run: F) -> Self
    where
        A: DeserializeOwned,
        R: IntoAnswer,
        F: Fn(A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let name = definition.name().to_owned();
        let run: Handler = Box::new(move |arguments| match unread::read::<A>(&name, normal(arguments)) {
            Ok(arguments) => answer(run(arguments)),
            Err(error) => Box::pin(async { Err(CallError::Tool(error.into())) }),
        });
        Self { definition: members(&definition), run }
    }

    /// A tool whose definition was written by hand, and whose arguments come as an object that fits the input schema;
    /// [`with_schema`](Self::with_schema) reads them into a type. A whole number comes as an integer, however it was
    /// sent. Objects that the schema forgets to close are closed in what is listed and in what is enforced.
    ///
    /// ```
    /// use frankly_contract::{Registry, Tool, ToolDef};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    /// let echo = ToolDef::new("echo", "Answers with the same text.", schema);
    /// let mut registry = Registry::new();
    /// registry.add(Tool::with_definition(echo, |arguments| async move { Ok(arguments["text"].to_string()) }))?;
    /// let listed = registry.definitions().next().and_then(|tool| tool.input_schema());
    /// assert_eq!(listed.map(|schema| &schema["additionalProperties"]), Some(&json!(false)));
    /// # Ok::<(), frankly_contract::InvalidTool>(())
    /// ```
    pub fn with_definition<R, F, Fut>(definition: ToolDef, run: F) -> Self
    where
        R: IntoAnswer,
        F: Fn(Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        Self {
            definition: members(&definition),
            run: Box::new(move |arguments| answer(run(normal(arguments)))),
        }
    }

    /// Says that a call changes nothing.
    ///
    /// What else can be said of a call: whether it destroys or only adds, whether twice is once, and whether it reaches
    /// outside.
    ///
    /// ```
    /// use frankly_contract::{NoArguments, Registry, Tool, ToolError};
    /// use serde_json::json;
    ///
    /// async fn done(_: NoArguments) -> Result<&'static str, ToolError> {
    ///     Ok("done")
    /// }
    /// let mut registry = Registry::new();
    /// registry.add(Tool::typed("list_drafts", "Lists the drafts.", done).read_only().title("Drafts"))?;
    /// registry.add(Tool::typed("purge_drafts", "Deletes all drafts.", done).destructive().idempotent(true))?;
    /// registry.add(Tool::typed("post_draft", "Posts the oldest draft.", done).additive().open_world(true))?;
    /// let hints: Vec<_> = registry.definitions().map(|tool| tool.annotation("destructiveHint")).collect();
    /// assert_eq!(hints, [Some(false), Some(true), Some(false)]);
    /// # Ok::<(), frankly_contract::InvalidTool>(())
    /// ```
    pub fn read_only(self) -> Self {
        self.annotated("readOnlyHint", true).annotated("destructiveHint", false)
    }

    /// Says that a call may change or delete what is there.
    pub fn destructive(self) -> Self {
        self.annotated("readOnlyHint", false).annotated("destructiveHint", true)
    }

    /// Says that a call only adds to what is there.
    pub fn additive(self) -> Self {
        self.annotated("readOnlyHint", false).annotated("destructiveHint", false)
    }

    /// Says whether the same call twice has the effect of one.
    pub fn idempotent(self, idempotent: bool) -> Self {
        self.annotated("idempotentHint", idempotent)
    }

    /// Says whether the tool deals with anything outside its own system, such as the web.
    pub fn open_world(self, open: bool) -> Self {
        self.annotated("openWorldHint", open)
    }

    /// Adds a name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition.insert("title".to_owned(), Value::String(title.into()));
        self
    }

    /// Lists the schema of what the tool returns. Answers are held against it: one that has no structured content or
    /// does not fit is the protocol's error -32603, and no agent sees it.
    ///
    /// ```
    /// use frankly_contract::{Json, NoArguments, Registry, Tool, ToolError};
    /// use serde_json::json;
    ///
    /// let count = |_: NoArguments| async { Ok::<_, ToolError>(Json(json!({"n": 262}))) };
    /// let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    /// let mut registry = Registry::new();
    /// registry.add(Tool::typed("count_drafts", "Counts the drafts.", count).output_schema(schema.clone()))?;
    /// assert_eq!(registry.definitions().next().and_then(|tool| tool.output_schema()), Some(&schema));
    /// # Ok::<(), frankly_contract::InvalidTool>(())
    /// ```
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.definition.insert("outputSchema".to_owned(), schema);
        self
    }

    /// Lists the schema of this type as what the tool returns, see [`output_schema`](Self::output_schema): a
    /// [`Page`](crate::Page) of the rows that it lists, or what it wraps in [`Json`](super::Json).
    pub fn returning<T: JsonSchema>(self) -> Self {
        self.output_schema(derived::output_schema::<T>())
    }

    /// Adds one annotation by the name it has in the protocol; [`read_only`](Self::read_only) and its siblings do it
    /// by meaning.
    fn annotated(mut self, hint: &str, value: bool) -> Self {
        match self.definition.get_mut("annotations").and_then(Value::as_object_mut) {
            Some(annotations) => {
                annotations.insert(hint.to_owned(), Value::Bool(value));
            }
            None => {
                self.definition.insert("annotations".to_owned(), json!({ hint: value }));
            }
        }
        self
    }

    pub(super) fn into_parts(self) -> (Map<String, Value>, Handler) {
        (self.definition, self.run)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tool").field(&self.definition).finish_non_exhaustive()
    }
}

/// The members of a definition; what is no object has none, and is refused when it is added.
fn members(definition: &ToolDef) -> Map<String, Value> {
    definition.raw().as_object().cloned().unwrap_or_default()
}

/// The arguments with every whole number as the integer that it is.
fn normal(arguments: Map<String, Value>) -> Map<String, Value> {
    let normal = arguments.into_iter().map(|(name, mut value)| {
        whole_numbers(&mut value);
        (name, value)
    });
    normal.collect()
}

fn answer<R: IntoAnswer>(
    running: impl Future<Output = Result<R, ToolError>> + Send + 'static,
) -> BoxFuture<'static, Result<ToolResult, CallError>> {
    Box::pin(async {
        let answer = running.await.map_err(|error| CallError::Tool(error.into()))?;
        let answer = answer.into_answer().map(ToolResult::from);
        answer.map_err(|error| CallError::internal(format!("the tool's answer has no JSON form: {error}")))
    })
}
