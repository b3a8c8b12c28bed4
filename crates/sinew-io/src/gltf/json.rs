//! The document's text.

use gltf_json::{Root, Value};

use super::budget::Budget;
use super::tree;
use crate::{Error, Report};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The index that a channel without a node gets, until it is dropped.
const NOWHERE: u32 = u32::MAX;

/// The document that a text gives.
pub(crate) fn parse(text: &[u8], budget: &Budget, report: &mut Report) -> Result<Root, Error> {
    let text = match text.strip_prefix(BOM) {
        Some(rest) => {
            report.note("byte 0", "a byte order mark before the JSON", "it was passed over")?;
            rest
        }
        None => text,
    };
    let tree = tree::measure(text)?;
    budget.spend_tree(tree.typed)?;
    match Root::from_slice(text) {
        // The types know no channel without a node, though glTF has them and says that they are to be ignored.
        Err(error) if error.to_string().starts_with("missing field `node`") => {
            budget.spend_tree(tree.loose)?;
            without_idle_channels(text, report)
        }
        read => read.map_err(|error| fault(&error)),
    }
}

fn without_idle_channels(text: &[u8], report: &mut Report) -> Result<Root, Error> {
    let mut tree: Value = gltf_json::deserialize::from_slice(text).map_err(|error| fault(&error))?;
    let animations = tree.get_mut("animations").and_then(Value::as_array_mut);
    for animation in animations.into_iter().flatten() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        for channel in channels.into_iter().flatten() {
            if let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) {
                target.entry("node").or_insert_with(|| NOWHERE.into());
            }
        }
    }
    // Through text again: reading a tree would be a second copy of the whole reader.
    let text = tree.to_string();
    drop(tree);
    // Its lines are not those of the file.
    let mut root = Root::from_str(&text)
        .map_err(|error| Error::fault("the document", "a document of glTF 2.0", said(&error)))?;
    for (index, animation) in root.animations.iter_mut().enumerate() {
        let all = animation.channels.len();
        animation.channels.retain(|channel| channel.target.node.value() != NOWHERE as usize);
        let idle = all - animation.channels.len();
        if idle > 0 && root.extensions_used.iter().any(|used| used == "KHR_animation_pointer") {
            let found = format!("{idle} channels without a node");
            report.note(format!("animations[{index}].channels"), found, "they were passed over")?;
        }
    }
    Ok(root)
}

fn fault(error: &gltf_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    Error::fault(format!("line {line}, column {column}"), "a document of glTF 2.0", said(error))
}

/// What the parser found, without the place.
fn said(error: &gltf_json::Error) -> String {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = whole.strip_suffix(&place).unwrap_or(&whole);
    // A string that is not what it should be is quoted whole.
    if said.len() > 200 { format!("{}...", said.chars().take(200).collect::<String>()) } else { said.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    fn parse_text(text: &str) -> Result<Root, Error> {
        parse(text.as_bytes(), &Budget::new(&Options::default(), text.len()), &mut Report::new(false))
    }

    #[test]
    fn channels_without_a_node_are_dropped() {
        let text = r#"{"asset":{"version":"2.0"},"animations":[{"samplers":[{"input":0,"output":1}],"channels":[
            {"sampler":0,"target":{"path":"rotation"}},
            {"sampler":0,"target":{"node":0,"path":"scale"}}]}]}"#;
        let root = parse_text(text).unwrap();
        assert_eq!(root.animations[0].channels.len(), 1);
        assert_eq!(root.animations[0].channels[0].target.node.value(), 0);
    }

    #[test]
    fn a_fault_beside_a_channel_without_a_node_names_no_line_that_the_file_does_not_have() {
        let text = "{\"asset\":{\"version\":\"2.0\"},\n\"animations\":[{\"samplers\":[],\"channels\":[\n\
            {\"sampler\":0,\"target\":{\"path\":\"rotation\"}}]}],\n\"accessors\":[{\"count\":1}]}";
        let said = parse_text(text).unwrap_err().to_string();
        assert!(said.contains("the document") && said.contains("missing field"), "{said}");
        assert!(!said.contains("line"), "{said}");
    }

    #[test]
    fn extras_may_be_anything() {
        for extras in ["1", "\"text\"", "[{}]", "null", "{\"a\":[1,2]}"] {
            let text = format!(r#"{{"asset":{{"version":"2.0","extras":{extras}}},"extras":{extras}}}"#);
            assert!(parse_text(&text).is_ok(), "{extras}");
        }
    }

    #[test]
    fn nesting_ends_at_the_depth_of_the_parser() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"extras":{open}{close}}}"#))
        };
        assert!(nested(tree::DEPTH - 1).is_ok());
        assert!(nested(tree::DEPTH).is_err());
        assert!(nested(200_000).is_err());
        let brackets_in_text =
            format!(r#"{{"asset":{{"version":"2.0","generator":"\\\"{}"}}}}"#, "[".repeat(1000));
        assert!(parse_text(&brackets_in_text).is_ok());
    }

    #[test]
    fn a_small_text_cannot_ask_for_a_large_tree() {
        let text =
            format!(r#"{{"asset":{{"version":"2.0"}},"materials":[{{}}{}]}}"#, ",{}".repeat(1_500_000));
        let said = parse_text(&text).unwrap_err().to_string();
        assert!(said.contains("budget"), "{said}");
    }

    #[test]
    fn errors_name_line_and_column() {
        let said = parse_text("{\n  \"asset\": 5}").unwrap_err().to_string();
        assert!(said.starts_with("line 2, column 12: "), "{said}");
    }
}
